package dev.kvorum.simulation;

import dev.kvorum.simulation.Simulation.Report;
import java.util.Locale;
import java.util.Optional;

/**
 * The search for the first run that catches a mutant.
 *
 * @param runs how many it took, or were tried
 */
record Hunt(Mutant mutant, int runs, Optional<Report> caught) {
  /** Plays seeds until one catches it. */
  static Hunt of(Mutant mutant, long first, int runsMax) {
    int runs = 0;
    for (long seed = first; runs < runsMax; seed++) {
      if (mutant.canShowIn(Profile.of(seed))) {
        runs++;
        Report report = Simulation.run(seed, mutant, false);
        if (!report.violations().isEmpty()) {
          return new Hunt(mutant, runs, Optional.of(report));
        }
      }
    }
    return new Hunt(mutant, runs, Optional.empty());
  }

  /** A row of the table in {@code docs/proof.md}. */
  @Override
  public String toString() {
    String by =
        caught
            .map(report -> report.violations().getFirst())
            .map(first -> first.never().number + " " + first.never())
            .orElse("not caught");
    return "| "
        + mutant.name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + " | "
        + by
        + " | "
        + runs
        + " |";
  }
}
