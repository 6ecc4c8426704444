package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.QuietLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
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

  /** Whether to keep the recorded seeds that still catch their mutants. */
  private static final boolean STALE_ONLY = Boolean.getBoolean("stale");

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
        FeatureMutant.values(),
        PauseMutant.values(),
        LivenessMutant.values());
  }

  /** Those that show while members change, are rebuilt, or are away for long. */
  static List<Defect> mutantsOfMembership() {
    return all(
        PlannerMutant.values(),
        RebuildMutant.values(),
        TombstoneMutant.values(),
        MembersMutant.values(),
        BackupMutant.values());
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
    CatchingSeeds recorded = CatchingSeeds.read();
    List<Hunt> hunts =
        mutants().parallelStream()
            .map(mutant -> STALE_ONLY ? again(mutant, recorded) : hunt(mutant))
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

  private static Hunt hunt(Defect mutant) {
    Hunt hunt = Hunt.of(mutant, FIRST_SEED, RUNS_MAX);
    System.out.println(hunt);
    return cheaper(hunt);
  }

  /** Keeps the recorded seed if it catches the mutant. */
  private static Hunt again(Defect mutant, CatchingSeeds recorded) {
    OptionalLong seed = recorded.of(mutant);
    if (seed.isPresent()) {
      Hunt known = Hunt.of(mutant, seed.getAsLong(), 1);
      if (known.seed() == seed.getAsLong() && !known.caught().isEmpty()) {
        return known;
      }
    }
    return hunt(mutant);
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
