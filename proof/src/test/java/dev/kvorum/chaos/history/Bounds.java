package dev.kvorum.chaos.history;

import java.time.Duration;

/**
 * What the checker allows for.
 *
 * @param clockOffset how far a version may be ahead of the clock of the node that gave it
 * @param slack added wherever a clock is compared with another one
 * @param lateMax how long after its client gave it up a request without an answer may still be
 *     taken up, by a node that was paused or a network that held it
 */
public record Bounds(Duration clockOffset, Duration slack, Duration lateMax) {
  /** What goes with a node's default settings and the faults of this package. */
  public static final Bounds DEFAULT =
      new Bounds(Duration.ofMillis(500), Duration.ofMillis(100), Duration.ofSeconds(60));
}
