package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.HintStore.Hint;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.StoreFixture;
import dev.kvorum.topology.MemberId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class StoredHintsTest {
  private static final MemberId ONE = new MemberId("kvorum-1");
  private static final MemberId TEN = new MemberId("kvorum-10");

  private @TempDir Path directory;
  private RecordStore store;
  private long drained = 1;

  @BeforeEach
  void openStore() {
    store = open(directory);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private HintStore hints() {
    return store.hints();
  }

  /** Waits until everything that was queued before is in the database. */
  private void drain() {
    Mutation last = new Mutation(Key.of("drained"), tombstone(drained++));
    assertThat(apply(store, last)).isEqualTo(STORED);
  }

  private static Hint hint(MemberId target, Mutation mutation) {
    return new Hint(target, mutation);
  }

  @Test
  void pagesATargetsHintsOldestFirst() {
    Mutation old = put("z", 1, "a");
    Mutation middle = put("a", 2, "b");
    Mutation recent = put("k", 300, "c");
    for (Mutation mutation : List.of(recent, old, middle)) {
      assertThat(hints().keep(ONE, mutation)).isTrue();
    }
    assertThat(hints().keep(TEN, old)).isTrue();
    drain();

    assertThat(hints().page(ONE, null, 10))
        .containsExactly(hint(ONE, old), hint(ONE, middle), hint(ONE, recent));
    List<Hint> first = hints().page(ONE, null, 2);
    assertThat(first).containsExactly(hint(ONE, old), hint(ONE, middle));
    assertThat(hints().page(ONE, first.getLast(), 2)).containsExactly(hint(ONE, recent));
    assertThat(hints().page(ONE, hint(ONE, recent), 2)).isEmpty();
    assertThat(hints().page(TEN, null, 10)).containsExactly(hint(TEN, old));
    assertThat(hints().targets()).containsExactlyInAnyOrder(ONE, TEN);
  }

  @Test
  void countsEachHintOnce() {
    Mutation mutation = put("k", 1, "v");
    assertThat(hints().keep(ONE, mutation)).isTrue();
    long bytes = hints().bytes();
    assertThat(hints().keep(ONE, mutation)).isTrue();
    drain();
    assertThat(hints().keep(ONE, mutation)).isTrue();
    drain();
    assertThat(hints().count(ONE)).isEqualTo(1);
    assertThat(hints().bytes()).isEqualTo(bytes).isPositive();

    hints().remove(List.of(hint(ONE, mutation), hint(ONE, mutation)));
    hints().remove(List.of(hint(ONE, mutation)));
    drain();
    assertThat(hints().count(ONE)).isZero();
    assertThat(hints().bytes()).isZero();
    assertThat(hints().targets()).isEmpty();
    assertThat(hints().page(ONE, null, 10)).isEmpty();
  }

  @Test
  void staysWithinItsBytes() {
    int kept = 0;
    for (int i = 0; i < 200; i++) {
      kept += hints().keep(ONE, put("k" + i, 1 + i, "v".repeat(100))) ? 1 : 0;
    }
    drain();
    assertThat(kept).isBetween(20, 100);
    assertThat(hints().bytes()).isBetween(9_000L, 10_000L);
    assertThat(hints().page(ONE, null, 500)).hasSize(kept);
    assertThat(store.stats().hintsDropped()).isEqualTo(200 - kept);

    hints().remove(hints().page(ONE, null, 10));
    drain();
    assertThat(hints().keep(ONE, put("later", 900, "v"))).isTrue();
  }

  @Test
  void keepsItsBooksWhenItIsOpenedAgain() {
    List<Hint> kept = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      kept.add(hint(i < 3 ? ONE : TEN, put("k" + i, 1 + i, "v")));
      assertThat(hints().keep(kept.getLast().target(), kept.getLast().mutation())).isTrue();
    }
    long bytes = hints().bytes();
    store.close();
    store = open(directory);

    assertThat(hints().bytes()).isEqualTo(bytes);
    assertThat(hints().count(ONE)).isEqualTo(3);
    assertThat(hints().count(TEN)).isEqualTo(2);
    assertThat(hints().page(ONE, null, 10)).isEqualTo(kept.subList(0, 3));
  }

  @Test
  void endsAPageEarlyWhenItsValuesAreLarge() {
    store.close();
    StorageSettings storage = TestSettings.of(StorageSettings.class, "memory=8MB");
    store = open(StoreSettings.of(directory, storage, 256 << 20, Duration.ofSeconds(5)));
    for (int i = 0; i < 8; i++) {
      assertThat(hints().keep(ONE, put("k" + i, 1 + i, "v".repeat(1 << 20)))).isTrue();
    }
    drain();
    List<Hint> page = hints().page(ONE, null, 8);
    assertThat(page).hasSizeBetween(1, 5);
    assertThat(hints().page(ONE, page.getLast(), 8)).isNotEmpty();
  }

  @Test
  void dropsACorruptedHintAndDeliversTheOthers() throws RocksDBException {
    store.close();
    Mutation sound = put("sound", 2, "v");
    try (RocksDatabase raw = RocksDatabase.open(StoreFixture.settings(directory))) {
      Mutation damaged = put("damaged", 1, "v");
      byte[] key = HintKey.of(ONE, damaged.record().version(), damaged.key()).bytes();
      raw.db().put(raw.hints(), key, "no record".getBytes(StandardCharsets.UTF_8));
    }
    store = open(directory);
    assertThat(hints().keep(ONE, sound)).isTrue();
    drain();
    assertThat(hints().count(ONE)).isEqualTo(2);

    assertThat(hints().page(ONE, null, 10)).containsExactly(hint(ONE, sound));
    awaitUntil(() -> hints().count(ONE) == 1);
  }

  @Test
  void keepsAndReadsNothingAfterItWasClosed() {
    assertThat(hints().keep(ONE, put("k", 1, "v"))).isTrue();
    store.close();
    assertThat(hints().keep(ONE, put("l", 1, "v"))).isFalse();
    assertThat(hints().page(ONE, null, 10)).isEmpty();
    hints().remove(List.of(hint(ONE, put("k", 1, "v"))));
  }
}
