package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** All operations of the store against a map that does the same in the plainest way. */
class StoreModelTest {
  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private final NavigableMap<Key, Versioned> model = new TreeMap<>();
  private final Map<String, Long> marks = new HashMap<>();

  /** The newest stamp stored under each key: what is newer cannot have been removed. */
  private final Map<Key, Long> newest = new HashMap<>();

  private @TempDir Path directory;
  private long purgedUpTo;
  private int written;
  private int opening;

  @RepeatedTest(8)
  void doesWhatAMapDoes() throws RocksDBException {
    for (opening = 0; opening < 4; opening++) {
      try (RecordStore store = StoreFixture.open(directory)) {
        check(store);
        for (int round = 0; round < 60; round++) {
          step(store);
        }
        check(store);
        if (random.nextBoolean()) {
          try (FlushOptions options = new FlushOptions()) {
            StoreFixture.database(store)
                .db()
                .flush(options, StoreFixture.database(store).records());
          }
        }
      }
    }
  }

  /** Some operations at once, so that now and then they share a batch. */
  private void step(RecordStore store) {
    List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
    List<Expected> expected = new ArrayList<>();
    int together = 1 + random.nextInt(6);
    for (int i = 0; i < together; i++) {
      CompletableFuture<WriteResult> answer = new CompletableFuture<>();
      answers.add(answer);
      expected.add(begin(store, answer));
    }
    for (int i = 0; i < together; i++) {
      assertThat(await(answers.get(i)))
          .as("seed %d: %s", seed, expected.get(i).what())
          .isEqualTo(expected.get(i).answer());
    }
  }

  private Expected begin(RecordStore store, CompletableFuture<WriteResult> answer) {
    Key key = randomKey();
    return switch (random.nextInt(6)) {
      case 0, 1 -> apply(store, key, false, answer);
      case 2 -> apply(store, key, true, answer);
      case 3 -> expire(store, key, likely(key), answer);
      case 4 -> remove(store, key, likely(key), answer);
      default -> {
        String name = "mark " + random.nextInt(3);
        long number = random.nextLong(100);
        store.marks().keepMark(name, number, INLINE, answer::complete);
        marks.put(name, number);
        yield new Expected(name, STORED);
      }
    };
  }

  private Expected expire(
      RecordStore store, Key key, Version version, CompletableFuture<WriteResult> answer) {
    store.expire(key, version, INLINE, answer::complete);
    Versioned held = model.get(key);
    if (held != null && held.version().equals(version)) {
      model.put(key, Versioned.tombstone(version, held.from()));
    }
    return new Expected("expire " + key, STORED);
  }

  private Expected remove(
      RecordStore store, Key key, Version version, CompletableFuture<WriteResult> answer) {
    store.remove(key, version, INLINE, answer::complete);
    Versioned held = model.get(key);
    if (held != null && held.version().equals(version)) {
      model.remove(key);
      if (held.tombstone()) {
        purgedUpTo = Math.max(purgedUpTo, version.stamp());
      }
    }
    return new Expected("remove " + key, STORED);
  }

  private record Expected(String what, WriteResult answer) {}

  private Expected apply(
      RecordStore store, Key key, boolean trusted, CompletableFuture<WriteResult> answer) {
    byte[] value = new byte[random.nextInt(40)];
    random.nextBytes(value);
    Version version = new Version(random.nextLong(60), 1 + written++);
    Versioned record =
        random.nextInt(4) == 0
            ? Versioned.tombstone(version, 1 + random.nextInt(3))
            : Versioned.live(version, random.nextLong(3), 1 + random.nextInt(3), value);
    Versioned held = model.get(key);
    String what = (trusted ? "adopt " : "apply ") + key + " " + record + " over " + held;
    if (trusted) {
      store.applyStreamed(new Mutation(key, record), INLINE, answer::complete);
    } else {
      store.apply(new Mutation(key, record), INLINE, answer::complete);
    }
    if (held != null && held.version().isNewerThan(version)) {
      return new Expected(what, new WriteResult.Superseded(held.version()));
    }
    // A reopened store no longer has a record of what it held under which key.
    boolean mayHaveHeldIt = opening > 0 || version.stamp() <= newest.getOrDefault(key, 0L);
    boolean hidden = purgedUpTo > 0 && version.stamp() <= purgedUpTo && mayHaveHeldIt;
    if (held == null && !trusted && hidden) {
      return new Expected(what, new WriteResult.Rejected(RejectReason.TOO_OLD));
    }
    model.put(key, record);
    newest.merge(key, version.stamp(), Math::max);
    return new Expected(what, STORED);
  }

  private Key randomKey() {
    return Key.of("k" + random.nextInt(12));
  }

  private Version likely(Key key) {
    Versioned held = model.get(key);
    return held != null && random.nextInt(4) > 0
        ? held.version()
        : new Version(random.nextInt(60), 1);
  }

  private void check(RecordStore store) {
    for (int i = 0; i < 12; i++) {
      Versioned held = model.get(Key.of("k" + i));
      assertThat(StoreFixture.read(store, "k" + i))
          .as("seed %d", seed)
          .isEqualTo(held == null ? ReadResult.Absent.ABSENT : new ReadResult.Found(held));
    }
    ScanLimits limits = new ScanLimits(1 + random.nextInt(5), 1 + random.nextInt(200));
    NavigableMap<Key, Versioned> scanned = new TreeMap<>();
    KeyOrder order = random.nextBoolean() ? KeyOrder.ASCENDING : KeyOrder.DESCENDING;
    Optional<KeyRange> rest = Optional.of(KeyRange.ALL);
    while (rest.isPresent()) {
      ScanResult page = StoreFixture.scan(store, rest.get(), order, Detail.RECORD, limits);
      assertThat(page).as("seed %d", seed).isInstanceOf(ScanResult.Page.class);
      ((ScanResult.Page) page).records().forEach(found -> scanned.put(found.key(), found.record()));
      rest = ((ScanResult.Page) page).next().map(key -> order.rest(KeyRange.ALL, key));
    }
    assertThat(scanned).as("seed %d", seed).isEqualTo(model);
    assertThat(store.purgedUpTo()).as("seed %d", seed).isEqualTo(purgedUpTo);
    marks.forEach((name, number) ->
        assertThat(store.marks().mark(name)).as("seed %d: %s", seed, name).isEqualTo(number));
  }
}
