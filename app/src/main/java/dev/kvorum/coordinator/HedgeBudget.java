package dev.kvorum.coordinator;

/**
 * Limits hedged reads to a small share of all reads, so that hedging does not double the load of a
 * slow cluster.
 *
 * <p>A token bucket that reads refill, as in gRPC's retry throttling (gRFC A6). Confined to one
 * event loop.
 */
final class HedgeBudget {
  private static final double BURST = 50;

  private final double perRead;
  private double tokens = BURST;

  /**
   * Creates a full bucket.
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
