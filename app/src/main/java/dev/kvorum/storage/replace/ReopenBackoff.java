package dev.kvorum.storage.replace;

import java.time.Duration;

/**
 * Decides when a store that an I/O error has stopped is opened again.
 *
 * <p>One error costs a wait of seconds. A disk that fails again and again, as with one unreadable
 * block that every compaction meets, costs ever longer waits: an opening replays the log, and a
 * node that is ready for a second of each minute helps no client and silences the alert.
 */
final class ReopenBackoff {
  /**
   * Longer than a path to a remote disk takes to fail over, and short beside the start of a pod.
   */
  static final Duration FIRST = Duration.ofSeconds(5);

  /** A store that worked for this long has recovered. Longer than the alert waits. */
  private static final Duration MAX = Duration.ofMinutes(5);

  private final long firstNanos;
  private long waitNanos;
  private long sinceNanos;
  private boolean isStopped;

  /**
   * Creates a backoff for a store that works.
   *
   * @param first wait after the first error; the waits double up to {@link #MAX}
   */
  ReopenBackoff(Duration first, long nowNanos) {
    this.firstNanos = first.toNanos();
    this.waitNanos = firstNanos;
    this.sinceNanos = nowNanos;
  }

  /** Returns whether to open the store now, given whether it is stopped. */
  boolean isDue(boolean stoppedNow, long nowNanos) {
    if (stoppedNow != isStopped) {
      if (stoppedNow && nowNanos - sinceNanos >= MAX.toNanos()) {
        waitNanos = firstNanos;
      }
      isStopped = stoppedNow;
      sinceNanos = nowNanos;
    }
    return isStopped && nowNanos - sinceNanos >= waitNanos;
  }

  /** The disk does not work yet: the same wait again, since nothing was opened. */
  void postpone(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /** The store was opened, or could not be: the next wait is longer. */
  void tried(long nowNanos) {
    waitNanos = Math.min(2 * waitNanos, MAX.toNanos());
    sinceNanos = nowNanos;
  }
}
