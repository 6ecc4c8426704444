package dev.kvorum.benchmark;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** What it costs to verify a record, beside a copy of its value (ADR 0018). */
final class ChecksumBenchmark {
  private static final int[] VALUE_BYTES = {0, 100, 1 << 10, 16 << 10, 1 << 20};
  private static final long BYTES_PER_ROUND = 4L << 30;
  private static final int TIMES_MAX = 20_000_000;
  private static final int ROUNDS = 3;

  private ChecksumBenchmark() {}

  /** Measures; the last of the rounds counts. */
  public static void main(String[] arguments) {
    for (int bytes : VALUE_BYTES) {
      Versioned made = Versioned.live(new Version(1L << 40, 1), 0, 3, new byte[bytes]);
      Mutation record = new Mutation(Key.of("a key of some twenty b"), made);
      int times = (int) Math.min(TIMES_MAX, BYTES_PER_ROUND / (bytes + 1));
      for (int round = 0; round < ROUNDS; round++) {
        long begun = System.nanoTime();
        int intact = 0;
        for (int i = 0; i < times; i++) {
          intact += record.isIntact() ? 1 : 0;
        }
        long verified = System.nanoTime();
        long copied = 0;
        for (int i = 0; i < times; i++) {
          copied += made.value().clone().length;
        }
        long end = System.nanoTime();
        System.out.printf(
            "%d bytes: verified in %.1f ns, copied in %.1f ns (%d, %d)%n",
            bytes,
            (verified - begun) / (double) times,
            (end - verified) / (double) times,
            intact,
            copied);
      }
    }
  }
}
