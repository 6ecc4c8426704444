package dev.kvorum.coordinator;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Notices that its loop paused: the process was stopped, the machine slept, or something held it up
 * for seconds. What clients sent meanwhile waits in sockets; those that gave up on it may have
 * written again elsewhere, and a write begun now would be stamped as if it came after that.
 */
final class PauseDetector {
  private final LongSupplier nanoTime;
  private final long maxNanos;
  private final long cautiousNanos;
  private boolean ticking;
  private long tickedNanos;
  private boolean cautious;
  private long cautiousUntilNanos;

  /**
   * A watch that begins with its first tick.
   *
   * @param nanoTime a monotone clock in nanoseconds
   * @param max what is no pause yet
   * @param cautious for how long after one requests may still be old
   */
  PauseDetector(LongSupplier nanoTime, Duration max, Duration cautious) {
    this.nanoTime = nanoTime;
    this.maxNanos = max.toNanos();
    this.cautiousNanos = cautious.toNanos();
  }

  /** To be called every few milliseconds; how long the loop paused, in nanoseconds, or 0. */
  long tick() {
    long now = nanoTime.getAsLong();
    long stood = ticking ? now - tickedNanos : 0;
    ticking = true;
    tickedNanos = now;
    if (stood <= maxNanos) {
      return 0;
    }
    cautious = true;
    cautiousUntilNanos = now + cautiousNanos;
    return stood;
  }

  /** Whether a request that is read now may have come long ago. */
  boolean mayBeOld() {
    if (!ticking) {
      return false;
    }
    long now = nanoTime.getAsLong();
    // What waits in sockets is read before the tick that was missed.
    if (now - tickedNanos > maxNanos) {
      return true;
    }
    cautious = cautious && now - cautiousUntilNanos < 0;
    return cautious;
  }
}
