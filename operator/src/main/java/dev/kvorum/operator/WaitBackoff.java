package dev.kvorum.operator;

import dev.kvorum.operator.api.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks how long each cluster has waited for the same reason, so that long waits are polled less
 * often than twice a second. The state is only in memory: after a restart, the operator polls at
 * the short interval first.
 */
final class WaitBackoff {
  /** Duration from which on a wait counts as long. */
  static final Duration SHORT = Duration.ofSeconds(30);

  /** A cluster without a reconciliation for this long counts as deleted. */
  private static final Duration KNOWN = Duration.ofMinutes(10);

  private final Map<Key, Waiting> waits = new ConcurrentHashMap<>();

  private record Key(String namespace, String name) {}

  private record Waiting(Reason reason, Instant since, Instant last) {}

  /** Returns whether this cluster has waited for this reason for at least {@link #SHORT}. */
  boolean takesLong(String namespace, String name, Reason reason, Instant now) {
    waits.values().removeIf(waiting -> waiting.last().plus(KNOWN).isBefore(now));
    Waiting is =
        waits.compute(
            new Key(namespace, name),
            (key, was) ->
                new Waiting(
                    reason, was != null && was.reason() == reason ? was.since() : now, now));
    return !now.isBefore(is.since().plus(SHORT));
  }

  /** Resets the wait of a cluster that no longer waits. */
  void remove(String namespace, String name) {
    waits.remove(new Key(namespace, name));
  }
}
