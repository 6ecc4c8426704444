package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadResult;
import java.util.List;
import java.util.Optional;

/**
 * The knee of a sweep: the highest rate offered that the cluster met, with p99 in bounds. What is
 * offered above it queues up.
 */
public final class Knee {
  /** A rate is met when so much of it is answered. */
  static final double MET = 0.99;

  private Knee() {}

  /** The knee; nothing where no rate was met. */
  public static Optional<Long> of(List<LoadResult> results, double p99MaxMicros) {
    return results.stream()
        .filter(it -> it.achieved() >= MET * it.offered() && it.micros("99") <= p99MaxMicros)
        .map(LoadResult::offered)
        .max(Long::compare);
  }
}
