package dev.kvorum.simulation;

import dev.kvorum.seeds.Seeds;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The command that simulates many seeds on all processors: {@code make simulate SEEDS=10000 FIRST=1
 * MINUTES=60}; with {@code BIAS=MEMBERS}, those of them that have this {@link Bias}; or one of
 * them, with a trace of all events: {@code make simulate SEEDS=1 FIRST=17 TRACE=1}.
 */
public final class Simulate {
  private Simulate() {}

  /**
   * Plays what the system properties {@code seeds}, {@code first}, {@code bias}, {@code minutes}
   * and {@code trace} ask for. Exit code 1 when something happened that must not, or when enough
   * seeds left out a fault, a change or an outcome.
   */
  public static void main(String[] args) {
    QuietLogs.silence();
    long first = Optional.ofNullable(Long.getLong("first")).orElseGet(Seeds::seed);
    boolean trace = Boolean.getBoolean("trace");
    Optional<Bias> bias = Optional.ofNullable(System.getProperty("bias")).map(Bias::valueOf);
    long begun = System.nanoTime();
    System.out.println("seeds from " + first);
    Tally tally =
        Tally.play(
            first,
            Long.getLong("seeds", 1000),
            seed -> bias.isEmpty() || Profile.of(seed).bias() == bias.get(),
            begun + TimeUnit.MINUTES.toNanos(Long.getLong("minutes", 24 * 60)),
            trace ? 1 : Runtime.getRuntime().availableProcessors(),
            trace);
    System.out.println(tally);
    System.out.printf("took %d s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    boolean all = bias.isEmpty() && tally.seeds() >= Coverage.SEEDS_MIN;
    List<String> unseen = all ? Coverage.unseen(tally) : List.of();
    if (!unseen.isEmpty()) {
      System.out.println("never simulated: " + unseen);
    }
    System.exit(tally.failures().isEmpty() && unseen.isEmpty() ? 0 : 1);
  }
}
