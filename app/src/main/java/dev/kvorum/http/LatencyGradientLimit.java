package dev.kvorum.http;

import com.netflix.concurrency.limits.limit.AbstractLimit;

/**
 * A limit of requests in flight that follows the gradient of their latency, after Gradient2 of
 * Netflix' concurrency-limits: it grows while requests take at most twice as long as usual and
 * shrinks when they queue up.
 *
 * <p>What is usual follows the latency down at any time, but up only while nothing is rejected.
 * Gradient2 takes the latency of an overload for the usual one after a while, and its limit creeps
 * up to the largest. Safe for use by many threads.
 */
final class LatencyGradientLimit extends AbstractLimit {
  /** Part of a window's latency in the usual one. */
  private static final double WEIGHT = 0.01;

  /** Part of a new limit in the current one. */
  private static final double SMOOTHING = 0.2;

  private static final double TOLERANCE = 2;
  private static final double GRADIENT_MIN = 0.5;

  /** Part of the limit by which it grows, so that there is always room for a short queue. */
  private static final double GROWTH = 1.0 / 8;

  private final int min;
  private final int max;
  private double limit;
  private double usualNanos;
  private volatile boolean isRejecting;

  LatencyGradientLimit(int min, int max) {
    super(min);
    this.min = min;
    this.max = max;
    this.limit = min;
  }

  /** A request was rejected, since as many were in flight as the limit allows. */
  void rejected() {
    if (!isRejecting) {
      isRejecting = true;
    }
  }

  /** Called by the library under a lock, once for a window of samples. */
  @Override
  protected int _update(long startNanos, long latencyNanos, int inFlight, boolean didDrop) {
    adapt(latencyNanos);
    isRejecting = false;
    // Too few requests to say whether more would queue.
    if (inFlight >= limit / 2) {
      double gradient =
          Math.clamp(TOLERANCE * usualNanos / Math.max(1, latencyNanos), GRADIENT_MIN, 1);
      double wanted = limit * (gradient + GROWTH);
      limit = Math.clamp(limit + SMOOTHING * (wanted - limit), min, max);
    }
    return (int) limit;
  }

  private void adapt(long latencyNanos) {
    if (usualNanos == 0) {
      usualNanos = latencyNanos;
    }
    if (latencyNanos < usualNanos || !isRejecting) {
      usualNanos += WEIGHT * (latencyNanos - usualNanos);
    }
  }
}
