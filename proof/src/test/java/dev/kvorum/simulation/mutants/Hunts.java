package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.QuietLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that hunts every mutant from one seed on, and records the seed that catches each
 * ({@code make mutants}). {@link RecordedMutants} plays the recorded seeds only: they show that the
 * simulation detects each defect; the hunt also shows how many runs that takes.
 */
public final class Hunts {
  private static final long FIRST_SEED = 9000;
  private static final int RUNS_MAX = 1000;
  private static final int TRIES = 20;
  private static final Duration CHEAP = Duration.ofMillis(700);

  private Hunts() {}

  /** Those that show while members stay. */
  static List<Defect> mutantsOfRequests() {
    return all(
        Mutant.values(),
        StoreMutant.values(),
        ChecksumMutant.values(),
        ClockMutant.values(),
        RangeMutant.values(),
        FenceMutant.values(),
        PauseMutant.values(),
        LivenessMutant.values());
  }

  /** Those that show while members change, are rebuilt, or are away for long. */
  static List<Defect> mutantsOfMembership() {
    return all(
        PlannerMutant.values(),
        RebuildMutant.values(),
        TombstoneMutant.values(),
        MembersMutant.values());
  }

  /** All mutants that the simulation must catch. */
  static List<Defect> mutants() {
    return Stream.concat(mutantsOfRequests().stream(), mutantsOfMembership().stream()).toList();
  }

  private static List<Defect> all(Defect[]... kinds) {
    return Stream.of(kinds).flatMap(Stream::of).toList();
  }

  /** Prints a row for each mutant and writes {@link CatchingSeeds}. Exit code 1 if one survives. */
  public static void main(String[] args) throws IOException {
    QuietLogs.silence();
    List<Hunt> hunts =
        mutants().parallelStream()
            .map(mutant -> Hunt.of(mutant, FIRST_SEED, RUNS_MAX))
            .peek(System.out::println)
            .map(Hunts::cheaper)
            .toList();
    List<Hunt> survivors = hunts.stream().filter(hunt -> hunt.caught().isEmpty()).toList();
    if (survivors.isEmpty()) {
      Files.writeString(Path.of(args[0]), CatchingSeeds.text(hunts));
    } else {
      System.out.println(
          survivors.stream()
              .map(hunt -> CatchingSeeds.name(hunt.mutant()))
              .collect(Collectors.joining(", ", "not caught within " + RUNS_MAX + " runs: ", "")));
    }
    System.exit(survivors.isEmpty() ? 0 : 1);
  }

  /**
   * A seed that catches a mutant after long is played in each {@code make test}: others are tried.
   */
  private static Hunt cheaper(Hunt first) {
    Hunt cheapest = first;
    long seed = first.seed() + 1;
    for (int tries = 0; tries < TRIES && cheapest.cost().compareTo(CHEAP) > 0; tries++) {
      Hunt next = Hunt.of(first.mutant(), seed, 1);
      seed = next.seed() + 1;
      if (!next.caught().isEmpty() && next.cost().compareTo(cheapest.cost()) < 0) {
        cheapest = next;
      }
    }
    return cheapest;
  }
}
