package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.QuietLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that hunts every mutant from one seed on, and records the seed that catches each
 * ({@code make mutants}). {@link MutantsTest} plays the recorded seeds only: they show that the
 * simulation detects each defect; the hunt also shows how many runs that takes.
 */
public final class Hunts {
  private static final long FIRST_SEED = 9000;
  private static final int RUNS_MAX = 1000;

  private Hunts() {}

  /** All mutants that the simulation must catch. */
  static List<Defect> mutants() {
    return Stream.<Defect[]>of(
            Mutant.values(),
            StoreMutant.values(),
            ChecksumMutant.values(),
            ClockMutant.values(),
            RangeMutant.values(),
            FenceMutant.values(),
            PlannerMutant.values(),
            RebuildMutant.values(),
            TombstoneMutant.values(),
            PauseMutant.values(),
            MembersMutant.values())
        .flatMap(Stream::of)
        .toList();
  }

  /** Prints a row for each mutant and writes {@link CatchingSeeds}. Exit code 1 if one survives. */
  public static void main(String[] args) throws IOException {
    QuietLogs.silence();
    List<Hunt> hunts =
        mutants().parallelStream()
            .map(mutant -> Hunt.of(mutant, FIRST_SEED, RUNS_MAX))
            .peek(System.out::println)
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
}
