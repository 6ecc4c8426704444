package dev.kvorum.background;

/**
 * A rate limit for background work that yields to clients. The rate is halved repeatedly while
 * clients' reads are slow, and doubled again when they are not.
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

  /** Current rate for reading and sending, in bytes per second. */
  public long bytesPerSecond() {
    return Math.max(1, bytesPerSecondMax / share);
  }

  /**
   * Adjusts the rate. Call it at equal intervals.
   *
   * @param readNanos recent 95th percentile of reads from the slowest peer, in nanoseconds; 0 if
   *     there were none
   */
  public void adapt(long readNanos) {
    share = readNanos > latencyMaxNanos ? Math.min(SHARE_MIN, share * 2) : Math.max(1, share / 2);
  }

  /**
   * Takes bytes out of the budget.
   *
   * @return time to wait before continuing, in nanoseconds
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
