package dev.kvorum.rpc;

/**
 * Estimates one quantile of a latency in constant space and time.
 *
 * <p>Frugal streaming with a step in proportion to the estimate, after Ma, Muthukrishnan and
 * Sandler, "Frugal Streaming for Estimating Quantiles" (2013). The estimate rises by the quantile's
 * share for each sample above it and falls by the rest for each sample below.
 */
final class LatencyQuantile {
  private static final double STEP = 0.05;

  private final double quantile;
  private final long minNanos;
  private final long maxNanos;
  private double estimateNanos;

  /**
   * Creates an estimate that starts at its upper bound, so that it is conservative until it has
   * samples.
   *
   * @param quantile between 0 and 1
   */
  LatencyQuantile(double quantile, long minNanos, long maxNanos) {
    this.quantile = quantile;
    this.minNanos = minNanos;
    this.maxNanos = maxNanos;
    this.estimateNanos = maxNanos;
  }

  void add(long sampleNanos) {
    double step = STEP * estimateNanos;
    estimateNanos += sampleNanos > estimateNanos ? step * quantile : -step * (1 - quantile);
    estimateNanos = Math.clamp(estimateNanos, (double) minNanos, (double) maxNanos);
  }

  long nanos() {
    return (long) estimateNanos;
  }
}
