package dev.kvorum.verifier;

/**
 * When the requests of one client are due. Once it is measured, requests fall due whether or not
 * earlier ones have been answered; what it could not keep up with before that, while clients and
 * nodes were cold, is not made up for.
 */
final class Schedule {
  private final long intervalNanos;
  private final long measuredNanos;
  private long nextNanos;

  /**
   * A schedule.
   *
   * @param firstNanos when the first request is due
   * @param measuredNanos from when on it is measured
   */
  Schedule(long firstNanos, long intervalNanos, long measuredNanos) {
    this.nextNanos = firstNanos;
    this.intervalNanos = intervalNanos;
    this.measuredNanos = measuredNanos;
  }

  /** When the next request is due, which may have been a while ago. */
  long next(long nowNanos) {
    if (nextNanos < measuredNanos && nextNanos < nowNanos) {
      nextNanos = Math.min(nowNanos, measuredNanos);
    }
    long due = nextNanos;
    nextNanos += intervalNanos;
    return due;
  }
}
