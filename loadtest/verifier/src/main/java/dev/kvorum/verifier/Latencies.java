package dev.kvorum.verifier;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts latencies in buckets that are 2 % wide, from 1 µs to about an hour. */
final class Latencies {
  private static final double WIDTH = Math.log(1.02);
  private static final int BUCKETS = 1_112;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  void add(long nanos) {
    double micros = Math.max(1, nanos / 1e3);
    counts.incrementAndGet(Math.min(BUCKETS - 1, (int) (Math.log(micros) / WIDTH)));
  }

  /**
   * Returns the upper end of the bucket that contains this quantile, in milliseconds; 0 without
   * latencies.
   */
  double millisAt(double share) {
    long all = 0;
    for (int i = 0; i < BUCKETS; i++) {
      all += counts.get(i);
    }
    if (all == 0) {
      return 0;
    }
    long rank = Math.max(1, (long) Math.ceil(share * all));
    long below = 0;
    int bucket = -1;
    while (below < rank) {
      below += counts.get(++bucket);
    }
    return Math.exp((bucket + 1) * WIDTH) / 1e3;
  }
}
