package dev.kvorum.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Clients' requests by operation and outcome. Safe for use by many threads.
 *
 * <p>A timer is made when its outcome is met first; outcomes are the words of the table of answers,
 * so that there is a bound to them.
 */
public final class RequestMeters {
  /** The outcome of a request whose client went away before the end of the answer. */
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
   * A request has ended.
   *
   * @param outcome in a word
   * @param status of the answer as a whole
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
    return status >= 500 ? "failed" : status >= 400 && status != 404 ? "refused" : "ok";
  }

  /** A request took longer than it is meant to. */
  public void slow() {
    slow.increment();
  }
}
