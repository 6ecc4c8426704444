package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord.Event;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Records in the audit log what would change something through the management port: operations of
 * {@code /actuator}, and writes of the console. Each is recorded as asked for, whatever its
 * outcome.
 */
final class AdministrationAudit implements WebFilter {
  private static final int NO_STATUS = 0;

  private final AuditLog audit;

  AdministrationAudit(AuditLog audit) {
    this.audit = audit;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (ManagementAccess.isRead(exchange.getRequest()) || !audit.isOn()) {
      return chain.filter(exchange);
    }
    AtomicBoolean isOpen = new AtomicBoolean(true);
    // An error gets its status behind this filter, so the end of the chain is too early.
    exchange
        .getResponse()
        .beforeCommit(() -> Mono.fromRunnable(() -> record(exchange, status(exchange), isOpen)));
    return chain.filter(exchange).doOnCancel(() -> record(exchange, NO_STATUS, isOpen));
  }

  private static int status(ServerWebExchange exchange) {
    HttpStatusCode status = exchange.getResponse().getStatusCode();
    return status == null ? 200 : status.value();
  }

  private void record(ServerWebExchange exchange, int status, AtomicBoolean isOpen) {
    if (isOpen.getAndSet(false)) {
      audit.record(
          ManagementAccess.record(exchange, Event.ADMINISTRATION, status, outcome(status)));
    }
  }

  private static String outcome(int status) {
    return status == NO_STATUS
        ? "cancelled"
        : status < 400 ? "ok" : status < 500 ? "rejected" : "failed";
  }
}
