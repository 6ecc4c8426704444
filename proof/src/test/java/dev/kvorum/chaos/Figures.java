package dev.kvorum.chaos;

import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How the nodes that nothing was done to served their clients, by what was done to the others.
 *
 * <p>Requests to a majority count, for those to all replicas must fail while one is away; of them
 * those that began a second or more after the strike, when the others may have noticed, and before
 * the healing. A fault's recovery ends with the last request to any node that found no answer
 * before the next fault.
 */
record Figures(List<Row> rows) {
  private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String CALM = "none";

  /**
   * What was measured under one kind of fault; milliseconds, -1 where nothing was.
   *
   * @param failed requests to healthy nodes without an answer, or with one of no use
   */
  record Row(
      String fault,
      int times,
      int requests,
      int failed,
      double p50Millis,
      double p99Millis,
      double maxMillis,
      double recoveryMedianMillis,
      double recoveryMaxMillis) {}

  static Figures of(Collection<Operation> operations, List<Episode> episodes) {
    Map<String, Sample> samples = new TreeMap<>();
    List<Operation> ofMajority =
        operations.stream()
            .filter(o -> !o.all())
            .sorted((a, b) -> Long.compare(a.startNanos(), b.startNanos()))
            .toList();
    long calmSince = 0;
    for (int i = 0; i < episodes.size(); i++) {
      Episode episode = episodes.get(i);
      boolean isLast = i + 1 == episodes.size();
      long next = isLast ? Long.MAX_VALUE : episodes.get(i + 1).begunNanos();
      Sample sample = samples.computeIfAbsent(episode.label(), label -> new Sample());
      long recovered = sample.add(ofMajority, episode, next);
      Sample calm = samples.computeIfAbsent(CALM, label -> new Sample());
      calm.add(ofMajority, calmSince, episode.begunNanos());
      calmSince = Math.max(episode.recoveredNanos(), recovered);
    }
    List<Row> rows = new ArrayList<>();
    samples.forEach((label, sample) -> rows.add(sample.row(label)));
    return new Figures(rows);
  }

  static boolean isOfNoUse(Operation operation) {
    return operation.outcome() == Outcome.INDETERMINATE || operation.outcome() == Outcome.REJECTED;
  }

  private static double percentile(List<Long> nanos, double share) {
    if (nanos.isEmpty()) {
      return -1;
    }
    List<Long> sorted = nanos.stream().sorted().toList();
    int index = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.max(0, index)) / 1e6;
  }

  /** A table for people, also in Markdown. */
  @Override
  public String toString() {
    StringBuilder table =
        new StringBuilder(
            "| fault | times | requests | failed | p50 ms | p99 ms | max ms"
                + " | recovery ms, median | max |\n|---|---|---|---|---|---|---|---|---|\n");
    for (Row r : rows) {
      table.append(
          "| %s | %d | %d | %d | %s | %s | %s | %s | %s |%n"
              .formatted(
                  r.fault,
                  r.times,
                  r.requests,
                  r.failed,
                  millis(r.p50Millis),
                  millis(r.p99Millis),
                  millis(r.maxMillis),
                  millis(r.recoveryMedianMillis),
                  millis(r.recoveryMaxMillis)));
    }
    return table.toString();
  }

  private static String millis(double value) {
    return value < 0 ? "–" : String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  private static final class Sample {
    private final List<Long> latencies = new ArrayList<>();
    private final List<Long> recoveries = new ArrayList<>();
    private int failed;

    /** Takes what was measured in an episode; the moment when requests succeeded again. */
    long add(List<Operation> operations, Episode episode, long nextNanos) {
      long recovered = episode.healedNanos();
      for (Operation o : operations) {
        boolean inside =
            o.startNanos() >= episode.struckNanos() + NOTICED_NANOS
                && o.startNanos() < episode.healedNanos();
        if (inside && !episode.isVictim(o.node())) {
          take(o);
        }
        boolean after = o.startNanos() >= episode.healedNanos() && o.startNanos() < nextNanos;
        if (after && isOfNoUse(o)) {
          recovered = Math.max(recovered, o.endNanos());
        }
      }
      recoveries.add(recovered - episode.healedNanos());
      return recovered;
    }

    void add(List<Operation> operations, long fromNanos, long toNanos) {
      operations.stream()
          .filter(o -> o.startNanos() >= fromNanos && o.startNanos() < toNanos)
          .forEach(this::take);
    }

    private void take(Operation operation) {
      latencies.add(operation.endNanos() - operation.startNanos());
      failed += isOfNoUse(operation) ? 1 : 0;
    }

    Row row(String label) {
      return new Row(
          label,
          recoveries.size(),
          latencies.size(),
          failed,
          percentile(latencies, 0.5),
          percentile(latencies, 0.99),
          percentile(latencies, 1),
          percentile(recoveries, 0.5),
          percentile(recoveries, 1));
    }
  }
}
