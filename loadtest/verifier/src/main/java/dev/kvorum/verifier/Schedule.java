package dev.kvorum.verifier;

/**
 * Schedules the requests of one client. In the measured time, requests are due whether or not
 * earlier ones have completed. Requests missed during the warm-up, while clients and nodes were
 * cold, are not made up for.
 */
final class Schedule {
  private final long intervalNanos;
  private final long measuredNanos;
  private long nextNanos;

  /**
   * Creates a schedule.
   *
   * @param firstNanos when the first request is due
   * @param measuredNanos start of the measured time
   */
  Schedule(long firstNanos, long intervalNanos, long measuredNanos) {
    this.nextNanos = firstNanos;
    this.intervalNanos = intervalNanos;
    this.measuredNanos = measuredNanos;
  }

  /** Returns when the next request is due, which may be in the past. */
  long next(long nowNanos) {
    if (nextNanos < measuredNanos && nextNanos < nowNanos) {
      nextNanos = Math.min(nowNanos, measuredNanos);
    }
    long due = nextNanos;
    nextNanos += intervalNanos;
    return due;
  }
}
