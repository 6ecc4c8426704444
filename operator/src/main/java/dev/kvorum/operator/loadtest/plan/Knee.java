package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadResult;
import java.util.List;
import java.util.Optional;

/**
 * Finds the knee of a sweep: the highest offered rate that the cluster met with p99 in bounds.
 * Above it, requests queue up.
 */
public final class Knee {
  /** Share of the offered rate that must be achieved for the rate to count as met. */
  static final double MET = 0.99;

  private Knee() {}

  /** Returns the knee; empty if no rate was met. */
  public static Optional<Long> of(List<LoadResult> results, double p99MaxMicros) {
    return results.stream()
        .filter(it -> it.achieved() >= MET * it.offered() && it.micros("99") <= p99MaxMicros)
        .map(LoadResult::offered)
        .max(Long::compare);
  }
}
