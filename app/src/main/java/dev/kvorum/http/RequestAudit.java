package dev.kvorum.http;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.data.Key;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.metrics.Operation;
import dev.kvorum.metrics.RequestMeters;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

/** Tells the audit log of rejected requests and of the writes that it wants. */
final class RequestAudit {
  private static final int NO_STATUS = 0;

  private final AuditLog log;

  RequestAudit(AuditLog log) {
    this.log = log;
  }

  /** Records a request that gets a problem as its response. */
  void rejected(
      Exchange exchange, Event event, Supplier<Map<String, String>> target, Problem problem) {
    if (log.isOn()) {
      log.rejected(record(exchange, event, target.get(), problem.status().code(), problem.name()));
    }
  }

  /** Records a request that may write a key, once it has ended, if the log wants it. */
  void watch(Exchange exchange, Key key) {
    boolean isWrite =
        exchange.operation() == Operation.PUT || exchange.operation() == Operation.DELETE;
    if (isWrite && log.wants(key)) {
      exchange.atEnd(() -> ended(exchange, key));
    }
  }

  private void ended(Exchange exchange, Key key) {
    // Its user could fill the log with what it is rejected; there is a counter.
    if (!exchange.bytes().isRejected()) {
      String outcome = exchange.outcome();
      int status = outcome.equals(RequestMeters.CANCELLED) ? NO_STATUS : exchange.status();
      log.record(record(exchange, Event.WRITE, AuditRecord.targetOf(key), status, outcome));
    }
  }

  private static AuditRecord record(
      Exchange exchange, Event event, Map<String, String> target, int status, String outcome) {
    return new AuditRecord(
        Instant.now(),
        event,
        exchange.userName(),
        exchange.address(),
        exchange.operation().label(),
        target,
        status,
        outcome);
  }
}
