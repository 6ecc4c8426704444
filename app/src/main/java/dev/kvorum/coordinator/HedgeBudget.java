package dev.kvorum.coordinator;

/**
 * Keeps hedges a small share of all reads, so that a slow cluster is not asked twice as much.
 *
 * <p>A token bucket fed by reads, as in gRPC's retry throttling (gRFC A6). For one event loop.
 */
final class HedgeBudget {
  private static final double BURST = 50;

  private final double perRead;
  private double tokens = BURST;

  /**
   * A full bucket.
   *
   * @param perRead hedges allowed per read in the long run, 0 to 1
   */
  HedgeBudget(double perRead) {
    this.perRead = perRead;
  }

  void onRead() {
    tokens = Math.min(BURST, tokens + perRead);
  }

  boolean tryTake() {
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
