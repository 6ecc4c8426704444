package dev.kvorum.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The versions of records in memory: nobody may read an older one than somebody before. */
class VersionCacheTest {
  private static final Key KEY = Key.of("key");
  private static final Version OLD = new Version(5, 1);
  private static final Version NEW = new Version(6, 2);

  private final VersionCache cache = VersionCache.inNativeMemory(64, new SplittableRandom(1));
  private final VersionCache.Lookup lookup = cache.new Lookup();

  @AfterEach
  void close() {
    cache.close();
  }

  private void store(Key key, @Nullable Version version) {
    cache.change(key, version);
    cache.release(true);
  }

  private static List<Key> keys(int count) {
    return IntStream.range(0, count).mapToObj(i -> Key.of("key-" + i)).toList();
  }

  @Test
  void knowsWhatWasStoredOrReadLast() {
    assertThat(lookup.find(KEY)).isNull();
    lookup.add(OLD);
    assertThat(lookup.find(KEY)).isEqualTo(OLD);
    store(KEY, NEW);
    assertThat(lookup.find(KEY)).isEqualTo(NEW);
    store(KEY, new Version(Long.MAX_VALUE, -1));
    assertThat(lookup.find(KEY)).isEqualTo(new Version(Long.MAX_VALUE, -1));
    store(KEY, null);
    assertThat(lookup.find(KEY)).isNull();
  }

  @Test
  void withholdsWhatABatchChangesUntilItIsStored() {
    store(KEY, OLD);
    cache.change(KEY, NEW);
    assertThat(lookup.find(KEY)).isNull();
    lookup.add(OLD);
    assertThat(lookup.find(KEY)).isNull();
    cache.release(true);
    assertThat(lookup.find(KEY)).isEqualTo(NEW);
  }

  @Test
  void doesNotKnowWhatAFailedBatchHasStored() {
    store(KEY, OLD);
    cache.change(KEY, NEW);
    cache.release(false);
    assertThat(lookup.find(KEY)).isNull();
    lookup.add(OLD);
    assertThat(lookup.find(KEY)).isEqualTo(OLD);
  }

  @Test
  void theLastOfSeveralChangesInABatchCounts() {
    cache.change(KEY, OLD);
    cache.change(Key.of("other"), OLD);
    cache.change(KEY, NEW);
    cache.release(true);
    assertThat(lookup.find(KEY)).isEqualTo(NEW);
    assertThat(lookup.find(Key.of("other"))).isEqualTo(OLD);
  }

  @Test
  void addsNothingThatWasReadBeforeAChange() {
    assertThat(lookup.find(KEY)).isNull();
    store(KEY, NEW);
    store(KEY, null);
    lookup.add(OLD);
    assertThat(lookup.find(KEY)).isNull();
  }

  @Test
  void aFullBucketKeepsTheThreeLatest() {
    List<Key> all = keys(50);
    all.forEach(key -> store(key, OLD));
    assertThat(all.stream().filter(key -> OLD.equals(lookup.find(key)))).hasSize(3);
    assertThat(lookup.find(all.getLast())).isEqualTo(OLD);
  }

  @Test
  void holdsMostOfAsManyKeysAsItHasRoomFor() {
    try (VersionCache large = VersionCache.inNativeMemory(64 * 1000, new SplittableRandom(2))) {
      List<Key> all = keys(2000);
      for (int i = 0; i < all.size(); i++) {
        large.change(all.get(i), new Version(i, i));
      }
      large.release(true);
      VersionCache.Lookup reader = large.new Lookup();
      int found = 0;
      for (int i = 0; i < all.size(); i++) {
        Version version = reader.find(all.get(i));
        assertThat(version).isIn(null, new Version(i, i));
        found += version == null ? 0 : 1;
      }
      assertThat(found).isGreaterThan(1500);
    }
  }

  @Test
  void staysEmptyWithoutMemory() {
    try (VersionCache none = VersionCache.inNativeMemory(63, new SplittableRandom(1))) {
      VersionCache.Lookup reader = none.new Lookup();
      none.change(KEY, NEW);
      none.release(true);
      assertThat(reader.find(KEY)).isNull();
      reader.add(OLD);
      assertThat(reader.find(KEY)).isNull();
    }
  }

  /** Versions with stamp and writer alike, so that a mixture of two shows. */
  @Test
  void readersNeverSeeHalfOfAVersionOrAnOlderOne() throws Exception {
    List<Key> all = keys(6);
    List<AtomicLong> stored = all.stream().map(key -> new AtomicLong()).toList();
    AtomicBoolean stop = new AtomicBoolean();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(pool.submit(() -> readAll(all, stored, stop)));
      }
      Future<?> writer = pool.submit(() -> writeAll(all, stored));
      writer.get();
      stop.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private void writeAll(List<Key> all, List<AtomicLong> stored) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
    for (int round = 1; round <= 20_000; round++) {
      Collections.rotate(order, 1);
      List<Integer> some = order.subList(0, 2);
      for (int one : some) {
        cache.change(all.get(one), new Version(round, round));
      }
      for (int one : some) {
        stored.get(one).set(round);
      }
      cache.release(true);
    }
  }

  private void readAll(List<Key> all, List<AtomicLong> stored, AtomicBoolean stop) {
    VersionCache.Lookup reader = cache.new Lookup();
    long[] last = new long[all.size()];
    while (!stop.get()) {
      for (int i = 0; i < all.size(); i++) {
        Version found = reader.find(all.get(i));
        long stamp = found == null ? stored.get(i).get() : found.stamp();
        assertThat(stamp).isGreaterThanOrEqualTo(last[i]);
        last[i] = stamp;
        if (found == null) {
          reader.add(new Version(stamp, (int) stamp));
        } else {
          assertThat(found.writer()).isEqualTo((int) stamp);
        }
      }
    }
  }
}
