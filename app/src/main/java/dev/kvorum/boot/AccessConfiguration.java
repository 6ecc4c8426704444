package dev.kvorum.boot;

import static dev.kvorum.metrics.PolledMeter.AUDIT_DROPPED;
import static dev.kvorum.metrics.PolledMeter.AUDIT_RECORDS;
import static dev.kvorum.metrics.PolledMeter.AUTH_FILE_REJECTED;
import static dev.kvorum.metrics.PolledMeter.AUTH_LIMITED;
import static dev.kvorum.metrics.PolledMeter.AUTH_RELOADS;
import static dev.kvorum.metrics.PolledMeter.AUTH_TOKENS;
import static dev.kvorum.metrics.PolledMeter.AUTH_USERS;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.auth.AuthSettings;
import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.FailedAttempts;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.serviceaccount.ServiceAccountTokens;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.http.AccessControl;
import dev.kvorum.metrics.Meters;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
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

  @Bean(destroyMethod = "close")
  Authenticator authenticator(NodeSettings settings, UserFile users, Meters meters) {
    AuthSettings auth = settings.properties().auth();
    Optional<ServiceAccountTokens> accounts = settings.serviceAccountTokens(users);
    Map<String, ToLongFunction<ServiceAccountTokens>> results =
        Map.of(
            "accepted", ServiceAccountTokens::accepted,
            "rejected", ServiceAccountTokens::rejected,
            "unchecked", ServiceAccountTokens::unchecked);
    results.forEach((result, count) ->
        meters.show(
            AUTH_TOKENS, () -> accounts.map(count::applyAsLong).orElse(0L), "result", result));
    return new Authenticator(
        new FailedAttempts(auth.failuresRate(), auth.failuresAddressesMax(), System::nanoTime),
        accounts);
  }

  @Bean
  AccessControl accessControl(
      UserFile users, Authenticator authenticator, AuditLog audit, Meters meters) {
    AccessControl access = new AccessControl(users, authenticator, audit);
    meters.show(AUTH_LIMITED, access::overRequests, "limit", "requests");
    meters.show(AUTH_LIMITED, access::overBytes, "limit", "bytes");
    return access;
  }
}
