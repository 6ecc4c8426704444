package dev.kvorum.simulation;

import dev.kvorum.simulation.Simulation.Report;
import dev.kvorum.simulation.cluster.Breakage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/** What came of many seeds, played on several threads, each run on one of them. */
final class Tally {
  private static final int FAILURES_MAX = 10;
  private static final int PROGRESS = 500;

  /** Operations by how they ended. */
  private final Map<String, Long> outcomes = new TreeMap<>();

  private final Map<String, Long> faults = new TreeMap<>();

  /** Changes of the members, by kind. */
  private final Map<String, Long> changes = new TreeMap<>();

  /** What the nodes counted themselves. */
  private final Map<String, Long> meters = new TreeMap<>();

  private final List<Report> failures = new ArrayList<>();
  private long seeds;
  private long virtualMillis;

  /**
   * Plays those of {@code count} seeds that are meant, fewer when the time is over or too many have
   * failed.
   */
  static Tally play(
      long first,
      long count,
      LongPredicate isMeant,
      long deadlineNanos,
      int threads,
      boolean trace) {
    Tally tally = new Tally();
    AtomicLong next = new AtomicLong(first);
    Callable<Void> player =
        () -> {
          long seed = next.getAndIncrement();
          while (seed - first < count && System.nanoTime() < deadlineNanos && tally.goesOn()) {
            if (isMeant.test(seed)) {
              tally.add(Simulation.run(seed, Breakage.NONE, trace));
            }
            seed = next.getAndIncrement();
          }
          return null;
        };
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<Void> played : pool.invokeAll(Collections.nCopies(threads, player))) {
        // A player that threw has not checked its seeds.
        played.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return tally;
  }

  private synchronized boolean goesOn() {
    return failures.size() < FAILURES_MAX;
  }

  private synchronized void add(Report report) {
    seeds++;
    virtualMillis += report.virtualMillis();
    add(report.outcomes(), outcomes);
    add(report.faults(), faults);
    add(report.changes(), changes);
    add(report.meters(), meters);
    if (!report.violations().isEmpty()) {
      failures.add(report);
      System.out.println(report);
    }
    if (seeds % PROGRESS == 0) {
      System.out.printf("%d seeds, %d failed%n", seeds, failures.size());
    }
  }

  private static void add(Map<String, Integer> some, Map<String, Long> all) {
    some.forEach((label, count) -> all.merge(label, (long) count, Long::sum));
  }

  long seeds() {
    return seeds;
  }

  List<Report> failures() {
    return failures;
  }

  /** Outcomes, faults, changes and meters that occurred. */
  Set<String> labels() {
    Set<String> labels = new HashSet<>();
    List.of(outcomes, faults, changes, meters).forEach(counts -> labels.addAll(counts.keySet()));
    return labels;
  }

  @Override
  public String toString() {
    long operations = outcomes.values().stream().mapToLong(count -> count).sum();
    return "%d seeds, %.1f hours of the clusters' own time, %d operations%n"
            .formatted(seeds, virtualMillis / 3.6e6, operations)
        + "operations: %s%nfaults: %s%nchanges: %s%nnodes: %s%n"
            .formatted(outcomes, faults, changes, meters)
        + "seeds with violations: "
        + failures.size();
  }
}
