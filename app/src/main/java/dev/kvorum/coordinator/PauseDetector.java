package dev.kvorum.coordinator;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects that its event loop paused for seconds, for example because the process was stopped or
 * the machine slept. Requests that clients sent meanwhile wait in sockets. Clients that gave up on
 * them may have written again through another node. A write started now would get a later version
 * than those writes and overwrite them.
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
   * Creates a detector that starts with its first tick.
   *
   * @param nanoTime a monotonic clock in nanoseconds
   * @param max longest interval between ticks that is no pause
   * @param cautious time after a pause during which requests may still be old
   */
  PauseDetector(LongSupplier nanoTime, Duration max, Duration cautious) {
    this.nanoTime = nanoTime;
    this.maxNanos = max.toNanos();
    this.cautiousNanos = cautious.toNanos();
  }

  /**
   * Records a tick; call it every few milliseconds. Returns the duration of a pause in nanoseconds,
   * or 0.
   */
  long tick() {
    long now = nanoTime.getAsLong();
    long pausedNanos = ticking ? now - tickedNanos : 0;
    ticking = true;
    tickedNanos = now;
    if (pausedNanos <= maxNanos) {
      return 0;
    }
    cautious = true;
    cautiousUntilNanos = now + cautiousNanos;
    return pausedNanos;
  }

  /** Returns whether a request that is read now may have been sent long ago. */
  boolean mayBeOld(long nowNanos) {
    if (!ticking) {
      return false;
    }
    // After a pause, the loop reads waiting requests before it runs the missed tick.
    if (nowNanos - tickedNanos > maxNanos) {
      return true;
    }
    cautious = cautious && nowNanos - cautiousUntilNanos < 0;
    return cautious;
  }
}
