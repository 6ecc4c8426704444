package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and reads beside the version cache, in every order of their steps. */
class VersionCacheOrdersTest {
  private static final Key KEY = Key.of("key");

  private final VersionCache cache = VersionCache.onHeap(64, new SplittableRandom(1));

  /** A store of one key, a writer and two readers, which take one step at a time. */
  private final class Model {
    private final Reader[] readers;
    private final int failing;
    private Version stored = new Version(1, 0);
    private Version acknowledged = stored;
    private Version newestRead = stored;
    private int writerSteps;

    Model(boolean oneReadsRecords, int failing) {
      this.readers = new Reader[] {new Reader(false), new Reader(oneReadsRecords)};
      this.failing = failing;
      cache.change(KEY, stored);
      cache.release(true);
    }

    /**
     * Looks the version up, otherwise reads it from the store, and adds what it has read. A reader
     * of complete records always reads from the store.
     */
    private final class Reader {
      private final boolean readsRecords;
      private final VersionCache.Lookup own = cache.new Lookup();
      private Version atLeast = Version.NONE;
      private @Nullable Version cached;
      private Version read = Version.NONE;
      private int steps;

      Reader(boolean readsRecords) {
        this.readsRecords = readsRecords;
      }

      void step() {
        switch (steps++ % 3) {
          case 0 -> {
            atLeast = newest(acknowledged, newestRead);
            cached = readsRecords ? null : own.find(KEY);
            check(cached);
          }
          case 1 -> {
            if (cached == null) {
              read = stored;
              check(read);
            }
          }
          default -> {
            if (cached == null && !readsRecords) {
              own.add(read);
            }
          }
        }
      }

      private void check(@Nullable Version shown) {
        if (shown != null) {
          assertThat(shown).isGreaterThanOrEqualTo(atLeast);
          newestRead = newest(newestRead, shown);
        }
      }
    }

    private static Version newest(Version one, Version other) {
      return one.isNewerThan(other) ? one : other;
    }

    /** The steps of one write after another. */
    void write() {
      int write = writerSteps / 4;
      boolean fails = write == failing;
      Version next = new Version(2 + write, 0);
      switch (writerSteps++ % 4) {
        case 0 -> cache.change(KEY, next);
        case 1 -> stored = fails ? stored : next;
        case 2 -> cache.release(!fails);
        default -> acknowledged = fails ? acknowledged : next;
      }
    }

    void run(int[] order) {
      for (int who : order) {
        if (who == 0) {
          write();
        } else {
          readers[who - 1].step();
        }
      }
    }
  }

  /**
   * All orders of the steps of one or two writes, of which one may fail, and of one or two reads of
   * each reader.
   */
  @ParameterizedTest
  @CsvSource({
    "4, 6, 3, false, -1",
    "4, 6, 3, false, 0",
    "4, 6, 3, true, -1",
    "4, 6, 3, true, 0",
    "8, 3, 3, false, -1",
    "8, 3, 3, false, 0",
    "8, 3, 3, true, 1"
  })
  void noOrderOfStepsShowsAnOlderVersion(
      int writes, int first, int second, boolean oneReadsRecords, int failing) {
    explore(
        new int[writes + first + second],
        0,
        new int[] {writes, first, second},
        () -> new Model(oneReadsRecords, failing));
  }

  private static void explore(int[] order, int length, int[] left, Supplier<Model> models) {
    if (length == order.length) {
      try {
        models.get().run(order);
      } catch (AssertionError e) {
        throw new AssertionError("in the order " + Arrays.toString(order), e);
      }
    }
    for (int who = 0; who < left.length; who++) {
      if (left[who] > 0) {
        left[who]--;
        order[length] = who;
        explore(order, length + 1, left, models);
        left[who]++;
      }
    }
  }
}
