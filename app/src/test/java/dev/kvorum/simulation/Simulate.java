package dev.kvorum.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kvorum.simulation.Simulation.Report;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * The command that simulates many seeds on all processors: {@code make simulate SEEDS=10000
 * FIRST=1 MINUTES=60}, or one of them with its trace: {@code make simulate SEEDS=1 FIRST=17
 * TRACE=1}.
 */
public final class Simulate {
  private static final int FAILURES_MAX = 10;

  private final Map<String, Long> outcomes = new TreeMap<>();
  private final Map<String, Long> faults = new TreeMap<>();
  private long seeds;
  private long virtualMillis;
  private int failed;

  private Simulate() {}

  /** Runs what the system properties {@code seeds}, {@code first}, {@code minutes} and {@code
   * trace} ask for; exit code 1 when something happened that must not. */
  public static void main(String[] args) throws InterruptedException {
    quieten();
    long count = Long.getLong("seeds", 1000);
    long first = Long.getLong("first", System.nanoTime() >>> 10);
    long minutes = Long.getLong("minutes", 24 * 60);
    boolean trace = Boolean.getBoolean("trace");
    Simulate all = new Simulate();
    long begun = System.nanoTime();
    all.run(first, count, begun + TimeUnit.MINUTES.toNanos(minutes), trace);
    all.summarize(first, Duration.ofNanos(System.nanoTime() - begun));
    System.exit(all.failed == 0 ? 0 : 1);
  }

  /** Nodes that crash and start all the time have much to say. */
  static void quieten() {
    ((Logger) LoggerFactory.getLogger("dev.kvorum")).setLevel(Level.OFF);
    ((Logger) LoggerFactory.getLogger("reactor")).setLevel(Level.OFF);
  }

  private void run(long first, long count, long deadlineNanos, boolean trace)
      throws InterruptedException {
    int threads = trace ? 1 : Runtime.getRuntime().availableProcessors();
    AtomicLong next = new AtomicLong(first);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        pool.execute(() -> {
          long seed = next.getAndIncrement();
          while (seed < first + count && System.nanoTime() < deadlineNanos && goesOn()) {
            count(Simulation.run(seed, Breakage.NONE, trace));
            seed = next.getAndIncrement();
          }
        });
      }
    }
  }

  private synchronized boolean goesOn() {
    return failed < FAILURES_MAX;
  }

  private synchronized void count(Report report) {
    seeds++;
    virtualMillis += report.virtualMillis();
    report.outcomes().forEach((outcome, n) -> outcomes.merge(outcome, (long) n, Long::sum));
    report.faults().forEach((kind, n) -> faults.merge(kind, (long) n, Long::sum));
    if (!report.violations().isEmpty()) {
      failed++;
      System.out.println(failure(report));
    }
    if (seeds % 500 == 0) {
      System.out.printf("%d seeds, %d failed%n", seeds, failed);
    }
  }

  /** What went wrong, how to see it again, and what came before it. */
  static String failure(Report report) {
    long seed = report.profile().seed();
    return "FAILED "
        + report.profile()
        + "\n  "
        + String.join("\n  ", report.violations().stream().map(Object::toString).toList())
        + "\n  replay: make simulate SEEDS=1 FIRST="
        + seed
        + " TRACE=1 (digest "
        + report.digest()
        + ")\n    ... "
        + String.join("\n    ... ", report.tail());
  }

  private void summarize(long first, Duration took) {
    long operations = outcomes.values().stream().mapToLong(n -> n).sum();
    System.out.printf(
        "%d seeds from %d in %d s (%.1f hours of the clusters' own time), %d operations%n",
        seeds, first, took.toSeconds(), virtualMillis / 3.6e6, operations);
    System.out.println("operations: " + outcomes);
    System.out.println("faults: " + faults);
    System.out.println("seeds with violations: " + failed);
  }
}
