package dev.kvorum.boot;

import static dev.kvorum.metrics.PolledMeter.AUDIT_DROPPED;
import static dev.kvorum.metrics.PolledMeter.AUDIT_RECORDS;
import static dev.kvorum.metrics.PolledMeter.AUTH_FILE_REJECTED;
import static dev.kvorum.metrics.PolledMeter.AUTH_LIMITED;
import static dev.kvorum.metrics.PolledMeter.AUTH_RELOADS;
import static dev.kvorum.metrics.PolledMeter.AUTH_USERS;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.auth.AuthSettings;
import dev.kvorum.auth.FailedAttempts;
import dev.kvorum.auth.UserFile;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.http.AccessControl;
import dev.kvorum.metrics.Meters;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who may send requests to a node, and the audit log of it. */
@Configuration(proxyBeanMethods = false)
public class AccessConfiguration {
  @Bean(destroyMethod = "close")
  UserFile users(NodeSettings settings, Meters meters) {
    UserFile users = settings.users();
    meters.show(AUTH_USERS, () -> users.users().count());
    meters.show(AUTH_FILE_REJECTED, () -> users.isStale() ? 1 : 0);
    meters.show(AUTH_RELOADS, users::reloads);
    return users;
  }

  /** Closed after all that uses it. */
  @Bean(destroyMethod = "close")
  AuditLog auditLog(NodeSettings settings, Meters meters) {
    AuditLog audit = settings.audit();
    meters.show(AUDIT_RECORDS, audit::written);
    for (AuditLog.Dropped reason : AuditLog.Dropped.values()) {
      meters.show(AUDIT_DROPPED, () -> audit.dropped(reason), "reason", reason.label());
    }
    return audit;
  }

  @Bean
  FailedAttempts failedAttempts(NodeSettings settings) {
    AuthSettings auth = settings.properties().auth();
    return new FailedAttempts(auth.failuresRate(), auth.failuresAddressesMax(), System::nanoTime);
  }

  @Bean
  AccessControl accessControl(
      UserFile users, FailedAttempts failures, AuditLog audit, Meters meters) {
    AccessControl access = new AccessControl(users, failures, audit);
    meters.show(AUTH_LIMITED, access::overRequests, "limit", "requests");
    meters.show(AUTH_LIMITED, access::overBytes, "limit", "bytes");
    return access;
  }
}
