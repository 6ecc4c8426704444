package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Meters of clients' requests by operation and outcome. Safe for use by many threads.
 *
 * <p>A timer is created at the first use of its outcome. Outcomes are the labels of the table of
 * responses, so that their number is bounded.
 */
public final class RequestMeters {
  /** Outcome of a request whose client disconnected before the end of the response. */
  public static final String CANCELLED = "cancelled";

  private final MeterRegistry registry;
  private final Map<Operation, Map<String, Timer>> timers = new EnumMap<>(Operation.class);
  private final Counter slow;

  RequestMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Operation operation : Operation.values()) {
      timers.put(operation, new ConcurrentHashMap<>());
    }
    slow =
        Counter.builder("kvorum.requests.slow")
            .description("requests over kvorum.log.slow-request")
            .register(registry);
  }

  /**
   * Records the end of a request.
   *
   * @param outcome outcome as a label
   * @param status status of the complete response
   */
  public void ended(Operation operation, String outcome, int status, long nanos) {
    Map<String, Timer> byOutcome = timers.getOrDefault(operation, Map.of());
    Timer timer = byOutcome.get(outcome);
    if (timer == null) {
      timer = byOutcome.computeIfAbsent(outcome, label -> timer(operation, label, status));
    }
    timer.record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Operation operation, String outcome, int status) {
    return LatencyBuckets.timer(
        registry,
        "kvorum.requests",
        "client requests, from the head to the last byte written to the socket",
        "operation",
        operation.label(),
        "outcome",
        outcome,
        "result",
        result(outcome, status));
  }

  private static String result(String outcome, int status) {
    if (outcome.equals(CANCELLED)) {
      return CANCELLED;
    }
    return status >= 500 ? "failed" : status >= 400 && status != 404 ? "rejected" : "ok";
  }

  /** Counts a request that took longer than {@code kvorum.log.slow-request}. */
  public void slow() {
    slow.increment();
  }
}
