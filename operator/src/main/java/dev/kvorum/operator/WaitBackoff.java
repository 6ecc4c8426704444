package dev.kvorum.operator;

import dev.kvorum.operator.api.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long each cluster has waited for the same condition. A cluster is polled twice a second for
 * half a minute, then less often; after a restart of the operator the half minute begins again.
 */
final class WaitBackoff {
  /** What takes longer than this takes long. */
  static final Duration SHORT = Duration.ofSeconds(30);

  /** A cluster that has not been looked at for this long is gone. */
  private static final Duration KNOWN = Duration.ofMinutes(10);

  private final Map<Key, Waiting> waits = new ConcurrentHashMap<>();

  private record Key(String namespace, String name) {}

  private record Waiting(Reason reason, Instant since, Instant last) {}

  /** Whether a cluster, which waits for this now, has done so for long. */
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

  /** It does not wait: what it waits for next is waited for again. */
  void remove(String namespace, String name) {
    waits.remove(new Key(namespace, name));
  }
}
