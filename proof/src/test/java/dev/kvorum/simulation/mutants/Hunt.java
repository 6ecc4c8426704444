package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.Simulation;
import dev.kvorum.simulation.cluster.Breakage;
import dev.kvorum.simulation.run.Profile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The search for the first run that catches a mutant.
 *
 * @param mutant a constant of an enum
 * @param runs how many it took, or were tried
 * @param seed the last one that was played
 * @param caught what was seen, the first thing first; empty when nothing was
 * @param cost processor time of the last run
 */
record Hunt(Defect mutant, int runs, long seed, List<String> caught, Duration cost) {
  private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

  /** A run of a mutant: what it violates. */
  private interface Player {
    List<String> play(long seed);
  }

  /** Plays seeds until one catches it. */
  static Hunt of(Defect mutant, long first, int runsMax) {
    Player player = player(mutant);
    int runs = 0;
    long seed = first;
    Duration cost = Duration.ZERO;
    for (; runs < runsMax; seed++) {
      if (mutant.canShowIn(Profile.of(seed))) {
        runs++;
        long begun = PROCESSOR.getCurrentThreadCpuTime();
        List<String> violations = player.play(seed);
        cost = Duration.ofNanos(PROCESSOR.getCurrentThreadCpuTime() - begun);
        if (!violations.isEmpty()) {
          return new Hunt(mutant, runs, seed, violations, cost);
        }
      }
    }
    return new Hunt(mutant, runs, seed - 1, List.of(), cost);
  }

  private static Player player(Defect mutant) {
    List<Patch> patches = mutant.patches();
    if (patches.isEmpty()) {
      return seed -> play(mutant, seed);
    }
    try {
      Method there =
          new PatchedClasses(patches)
              .loadClass(Hunt.class.getName())
              .getDeclaredMethod("play", String.class, String.class, long.class);
      there.setAccessible(true);
      return seed -> playThere(there, (Enum<?>) mutant, seed);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked") // the same method in other classes
  private static List<String> playThere(Method there, Enum<?> mutant, long seed) {
    try {
      return (List<String>)
          there.invoke(null, mutant.getDeclaringClass().getName(), mutant.name(), seed);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same run, named by what all class loaders have in common. */
  static List<String> play(String type, String name, long seed) throws ClassNotFoundException {
    for (Object mutant : Class.forName(type).getEnumConstants()) {
      if (((Enum<?>) mutant).name().equals(name)) {
        return play((Breakage) mutant, seed);
      }
    }
    throw new IllegalStateException("no " + name + " in " + type);
  }

  private static List<String> play(Breakage mutant, long seed) {
    return Simulation.run(seed, mutant, false).violations().stream()
        .map(violation -> "seed " + seed + " " + violation)
        .toList();
  }

  /** A row of the table in {@code docs/proof.md}. */
  @Override
  public String toString() {
    return "| "
        + ((Enum<?>) mutant).name().toLowerCase(Locale.ROOT).replace('_', ' ')
        + " | "
        + Optional.of(caught).filter(all -> !all.isEmpty()).map(List::getFirst).orElse("not caught")
        + " | "
        + runs
        + " |";
  }
}
