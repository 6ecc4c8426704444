package dev.kvorum.verifier;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the results of the requests of all clients. Requests that were due before the start are
 * left out.
 */
final class Tally {
  /** Maximum number of reported reasons; beyond that, they differ only in numbers and keys. */
  private static final int REASONS_MAX = 20;

  private final long startNanos;
  private final LongAdder writes = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> reasons = new ConcurrentSkipListMap<>();
  private final Latencies latencies = new Latencies();
  private final AtomicLong acknowledgedNanos;
  private final LongAccumulator longestPauseNanos = new LongAccumulator(Math::max, 0);

  Tally(long startNanos) {
    this.startNanos = startNanos;
    this.acknowledgedNanos = new AtomicLong(startNanos);
  }

  void acknowledged(long dueNanos, long nowNanos) {
    if (dueNanos >= startNanos) {
      writes.increment();
      latencies.add(nowNanos - dueNanos);
      longestPauseNanos.accumulate(nowNanos - acknowledgedNanos.getAndSet(nowNanos));
    }
  }

  void read(long dueNanos, long nowNanos) {
    if (dueNanos >= startNanos) {
      reads.increment();
      latencies.add(nowNanos - dueNanos);
    }
  }

  /**
   * Counts a failed request.
   *
   * @param kind its status, or how its connection failed
   * @param reason the reason in the response
   */
  void failed(String kind, String reason, long dueNanos, long nowNanos) {
    if (dueNanos >= startNanos) {
      errors.computeIfAbsent(kind, _ -> new LongAdder()).increment();
      String why = kind.equals(reason) ? kind : kind + ": " + reason;
      if (reasons.size() < REASONS_MAX || reasons.containsKey(why)) {
        reasons.computeIfAbsent(why, _ -> new LongAdder()).increment();
      }
      latencies.add(nowNanos - dueNanos);
    }
  }

  double errorShare() {
    long failed = errors.values().stream().mapToLong(LongAdder::sum).sum();
    long all = failed + writes.sum() + reads.sum();
    return all == 0 ? 0 : (double) failed / all;
  }

  /** Returns whether there was an error that a client cannot recognise as retriable. */
  boolean hasOtherThanRetriable() {
    return errors.keySet().stream()
        .anyMatch(kind -> !kind.equals("503") && !kind.equals("504") && !kind.startsWith("no "));
  }

  /** Returns a line for each reason, with its number of occurrences. */
  List<String> reasons() {
    return reasons.entrySet().stream().map(it -> it.getValue() + " x " + it.getKey()).toList();
  }

  /** The longest time without an acknowledged write, up to now. */
  long longestPauseNanos(long nowNanos) {
    return Math.max(longestPauseNanos.get(), nowNanos - acknowledgedNanos.get());
  }

  double p99Millis() {
    return latencies.millisAt(0.99);
  }

  /** Returns one line with all figures. */
  String line(long nowNanos) {
    double seconds = Math.max(1e-3, (nowNanos - startNanos) / 1e9);
    return String.format(
        Locale.ROOT,
        "%.0f s: %d writes, %d reads (%.0f/s), errors %s (%.4f %%), p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms,"
            + " longest pause between acknowledged writes %.0f ms",
        seconds,
        writes.sum(),
        reads.sum(),
        (writes.sum() + reads.sum()) / seconds,
        errors,
        100 * errorShare(),
        latencies.millisAt(0.5),
        p99Millis(),
        latencies.millisAt(0.999),
        longestPauseNanos(nowNanos) / 1e6);
  }
}
