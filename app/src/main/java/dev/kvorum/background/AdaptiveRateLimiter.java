package dev.kvorum.background;

/**
 * A rate for work in the background that gives way to clients: halved again and again while their
 * reads are slow, doubled back when they are not.
 */
public final class AdaptiveRateLimiter {
  private static final int SHARE_MIN = 16;

  private final long bytesPerSecondMax;
  private final long latencyMaxNanos;
  private int share = 1;
  private boolean spent;
  private long freeAtNanos;

  public AdaptiveRateLimiter(long bytesPerSecondMax, long latencyMaxNanos) {
    this.bytesPerSecondMax = bytesPerSecondMax;
    this.latencyMaxNanos = latencyMaxNanos;
  }

  /** What may be read and sent in a second, for now. */
  public long bytesPerSecond() {
    return Math.max(1, bytesPerSecondMax / share);
  }

  /**
   * Adjusts the rate; to be called at equal intervals.
   *
   * @param readNanos how long clients' reads took lately, at their 95th percentile; 0 when there
   *     were none
   */
  public void adapt(long readNanos) {
    share = readNanos > latencyMaxNanos ? Math.min(SHARE_MIN, share * 2) : Math.max(1, share / 2);
  }

  /**
   * Takes so many bytes out of the budget.
   *
   * @return how long to wait before continuing, in nanoseconds
   */
  public long spend(long bytes, long nowNanos) {
    if (!spent || freeAtNanos - nowNanos < 0) {
      spent = true;
      freeAtNanos = nowNanos;
    }
    freeAtNanos += (long) (bytes * 1e9 / bytesPerSecond());
    return freeAtNanos - nowNanos;
  }
}
