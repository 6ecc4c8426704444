package dev.kvorum.operator.loadtest.plan;

import dev.kvorum.operator.api.LoadErrors;
import dev.kvorum.operator.api.LoadResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Finds the knee of a sweep: the highest offered rate that the cluster met with p99 in bounds, if a
 * higher one was too much. {@code loadtest/reporting/measured.py} has the same rules.
 */
public final class Knee {
  /** Share of the offered rate that must be achieved for the rate to count as met. */
  static final double MET = 0.99;

  /** Share of the time by which a queue of the missing requests would delay the slowest answer. */
  private static final double QUEUED = 0.5;

  private Knee() {}

  /** Returns the knee; empty if no rate was met, or none above it was too much. */
  public static Optional<Long> of(List<LoadResult> results, double p99MaxMicros) {
    OptionalLong highest = highestMet(results, p99MaxMicros);
    boolean wasMoreTooMuch =
        highest.isPresent()
            && results.stream()
                .filter(it -> it.offered() > highest.getAsLong())
                .anyMatch(it -> !isUnsent(it, p99MaxMicros));
    return wasMoreTooMuch ? Optional.of(highest.getAsLong()) : Optional.empty();
  }

  /** Returns the highest offered rate that was met; empty if none was. */
  public static OptionalLong highestMet(List<LoadResult> results, double p99MaxMicros) {
    return results.stream()
        .filter(it -> isAchieved(it) && isInTime(it, p99MaxMicros))
        .mapToLong(LoadResult::offered)
        .max();
  }

  /**
   * Returns whether wrk2 did not send the whole rate while what it sent was answered in time. Its
   * latencies count from when a request was due, so even the largest has no room for a queue.
   */
  private static boolean isUnsent(LoadResult it, double p99MaxMicros) {
    LoadErrors errors = it.errors();
    boolean isConnected = errors.connect() + errors.read() + errors.write() + errors.timeout() == 0;
    double missing = 1 - it.achieved() / it.offered();
    return isInTime(it, p99MaxMicros)
        && !isAchieved(it)
        && isConnected
        && it.micros("max") < QUEUED * it.seconds() * 1_000_000 * missing;
  }

  private static boolean isAchieved(LoadResult it) {
    return it.achieved() >= MET * it.offered();
  }

  private static boolean isInTime(LoadResult it, double p99MaxMicros) {
    return it.micros("99") <= p99MaxMicros;
  }
}
