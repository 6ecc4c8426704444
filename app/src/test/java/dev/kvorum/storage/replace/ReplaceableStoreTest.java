package dev.kvorum.storage.replace;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.applyStreamed;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.keepMark;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.StoreFiles;
import dev.kvorum.storage.rocks.StoreFixture;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class ReplaceableStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final ReadResult UNKNOWN = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);

  private @TempDir Path parent;
  private long freeMinBytes = 1000;
  private Instant now = NOW;
  private OnCorruption onCorruption = OnCorruption.REBUILD;

  private Path directory() {
    return parent.resolve("store");
  }

  private ReplaceableStore open(OnCorruption onCorruption) {
    this.onCorruption = onCorruption;
    StoreSettings usual = StoreFixture.settings(directory(), freeMinBytes);
    return ReplaceableStore.open(StoreFixture.disk(usual, () -> now), () -> this.onCorruption);
  }

  private ReplaceableStore open() {
    return open(OnCorruption.REBUILD);
  }

  private List<Path> aside() {
    return StoreFiles.like(parent, "store.set-aside-", "");
  }

  @Test
  void needsARestartAfterAnErrorInABatch() {
    try (ReplaceableStore store = open()) {
      assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
      assertThat(store.needsRestart()).isFalse();
      CompletableFuture<WriteResult> answer = new CompletableFuture<>();
      store.apply(
          put("broken", 2, "v"),
          INLINE,
          new Waiter<>() {
            @Override
            public void reply(WriteResult applied) {
              answer.complete(applied);
            }

            @Override
            public boolean isWaiting() {
              throw new AssertionError("on the writer's thread");
            }
          });
      assertThat(await(answer)).isEqualTo(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
      assertThat(store.isFailed()).as("not ready").isTrue();
      assertThat(store.needsRestart()).as("not live").isTrue();
    }
    try (ReplaceableStore store = open()) {
      assertThat(apply(store, put("later", 3, "v"))).isEqualTo(STORED);
      assertThat(read(store, "k")).isInstanceOf(ReadResult.Found.class);
      assertThat(store.needsRestart()).isFalse();
    }
  }

  /** A store with its records in a table and something in its log. */
  private void fill() {
    try (ReplaceableStore store = open()) {
      for (int i = 0; i < 200; i++) {
        assertThat(apply(store, put("k" + i, 1 + i, "value".repeat(50) + i))).isEqualTo(STORED);
      }
      apply(store, new Mutation(Key.of("gone"), tombstone(900)));
      assertThat(await(removing(store, "gone", 900))).isEqualTo(STORED);
      assertThat(keepMark(store, MarkStore.CLOCK_HIGH_WATER, 77_000)).isEqualTo(STORED);
      assertThat(keepMark(store, "synced/n1", 5)).isEqualTo(STORED);
    }
    try (ReplaceableStore store = open()) {
      assertThat(apply(store, put("late", 950, "v"))).isEqualTo(STORED);
    }
  }

  private void damageTable() {
    Path table =
        StoreFiles.tables(directory()).stream()
            .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
            .orElseThrow();
    StoreFiles.flip(table, table.toFile().length() / 3);
  }

  private static void assertRestarted(ReplaceableStore store) {
    assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
    assertThat(store.mark(MarkStore.CLOCK_HIGH_WATER)).isEqualTo(77_000);
    assertThat(store.mark("synced/n1")).as("how far repairs came is forgotten").isZero();
    assertThat(store.purgedUpTo()).isEqualTo(900);
    assertThat(read(store, "k1")).isEqualTo(ReadResult.Absent.ABSENT);
    assertThat(apply(store, put("gone", 800, "deleted long ago")))
        .isEqualTo(new WriteResult.Rejected(RejectReason.TOO_OLD));
    assertThat(applyStreamed(store, put("k1", 2, "from another"))).isEqualTo(STORED);
    assertThat(apply(store, put("k2", 1000, "new"))).isEqualTo(STORED);
    assertThat(store.isFailed()).isFalse();
  }

  @Test
  void setsAStoreAsideWhoseDamageAReadFindsAndContinues() {
    fill();
    damageTable();
    AtomicInteger replaced = new AtomicInteger();
    try (ReplaceableStore store = open(OnCorruption.FAIL)) {
      // The node was started alone and has peers now.
      onCorruption = OnCorruption.REBUILD;
      store.whenReplaced(
          () -> assertThat(read(store, "late")).as("before it answers").isEqualTo(UNKNOWN),
          () -> {
            assertThat(store.mark(MarkStore.SET_ASIDE)).as("marks of the new one").isEqualTo(1);
            replaced.incrementAndGet();
          });
      for (int i = 0; i < 200 && replaced.get() == 0; i++) {
        ReadResult found = read(store, "k" + i);
        assertThat(found).isIn(UNKNOWN, new ReadResult.Found(live(1 + i, "value".repeat(50) + i)));
        if (found.equals(UNKNOWN)) {
          break;
        }
      }
      StoreFixture.awaitUntil(() -> store.mark(MarkStore.SET_ASIDE) == 1);
      assertRestarted(store);
      assertThat(replaced).hasValue(1);
      assertThat(aside())
          .containsExactly(parent.resolve("store.set-aside-20260102T030405Z.corrupted"));
    }
    try (ReplaceableStore store = open()) {
      assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
      assertThat(read(store, "k1")).isEqualTo(new ReadResult.Found(live(2, "from another")));
      assertThat(read(store, "k2")).isEqualTo(new ReadResult.Found(live(1000, "new")));
    }
  }

  @Test
  void putsAStoreAsideThatCannotBeOpenedAndSavesItsMarks() throws IOException {
    fill();
    Files.delete(StoreFiles.tables(directory()).getFirst());
    try (ReplaceableStore store = open()) {
      assertThat(aside()).hasSize(1);
      assertThat(StoreFiles.bytesIn(aside().getFirst())).isPositive();
      assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
      assertThat(read(store, "late")).isEqualTo(ReadResult.Absent.ABSENT);
    }
  }

  @Test
  void savesTheMarksOfAStoreWithACorruptedLog() {
    fill();
    try (ReplaceableStore store = open()) {
      for (int i = 0; i < 100; i++) {
        apply(store, put("more" + i, 960 + i, "v".repeat(500)));
      }
    }
    Path log = StoreFiles.like(directory(), "", ".log").getLast();
    StoreFiles.flip(log, log.toFile().length() / 2);
    try (ReplaceableStore store = open()) {
      assertThat(aside()).hasSize(1);
      assertRestarted(store);
    }
  }

  @Test
  void rejectsACorruptedStoreThatMayNotBeSetAside() throws IOException {
    fill();
    Path current = directory().resolve("CURRENT");
    byte[] sound = Files.readAllBytes(current);
    Files.delete(current);
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(OnCorruption.FAIL))
        .withMessageContaining("corrupted");
    Files.write(current, sound);

    damageTable();
    try (ReplaceableStore store = open(OnCorruption.FAIL)) {
      for (int i = 0; i < 200; i++) {
        assertThat(read(store, "k" + i))
            .isIn(UNKNOWN, new ReadResult.Found(live(1 + i, "value".repeat(50) + i)));
      }
      assertThat(store.mark(MarkStore.SET_ASIDE)).isZero();
    }
    assertThat(aside()).isEmpty();
  }

  @Test
  void doesNotTakeOtherTroubleForDamage() throws RocksDBException {
    fill();
    try (ReplaceableStore held = open()) {
      assertThatExceptionOfType(StoreOpenException.class)
          .isThrownBy(this::open)
          .withMessageContaining("another process is using it");
      assertThat(read(held, "k1")).isInstanceOf(ReadResult.Found.class);
    }
    try (RocksDatabase raw = RocksDatabase.open(StoreFixture.settings(directory()))) {
      byte[] newer = {0, 0, 0, 2};
      raw.db().put(raw.meta(), "layout".getBytes(StandardCharsets.UTF_8), newer);
    }
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(this::open)
        .withMessageContaining("layout");
    assertThat(aside()).isEmpty();
  }

  @Test
  void resetsWhenAskedAndKeepsTheNewestCopyOnly() {
    fill();
    try (ReplaceableStore store = open()) {
      MemberId away = new MemberId("n2");
      assertThat(store.keep(away, put("k", 1, "hint"))).isTrue();
      StoreFixture.awaitUntil(() -> store.page(away, null, 10).size() == 1);
      await(store.reset("away too long"));
      assertRestarted(store);
      assertThat(store.targets()).isEmpty();
      now = NOW.plusSeconds(60);
      await(store.reset("again"));
      assertRestarted(store);
      assertThat(aside()).containsExactly(parent.resolve("store.set-aside-20260102T030505Z"));
    }
  }

  @Test
  void deletesTheCopyWhenTheDiskHasNoRoomForIt() {
    fill();
    freeMinBytes = 1L << 50;
    try (ReplaceableStore store = open()) {
      await(store.reset("away too long"));
      assertThat(store.mark(MarkStore.SET_ASIDE)).isEqualTo(1);
      assertThat(aside()).isEmpty();
    }
  }

  @Test
  void endsAReplacementInWhichTheProcessDied() throws IOException {
    fill();
    try (RocksDatabase fresh = RocksDatabase.open(StoreFixture.settings(fresh()))) {
      assertThat(fresh.db().getLatestSequenceNumber()).isNotNegative();
    }
    try (ReplaceableStore store = open()) {
      assertThat(read(store, "k1")).as("not yet moved").isInstanceOf(ReadResult.Found.class);
      assertThat(fresh()).doesNotExist();
      await(store.reset("away too long"));
    }
    Files.move(directory(), fresh());
    try (ReplaceableStore store = open()) {
      assertThat(store.mark(MarkStore.SET_ASIDE)).as("moved halfway").isEqualTo(1);
      assertThat(fresh()).doesNotExist();
    }
  }

  private Path fresh() {
    return parent.resolve("store.fresh");
  }

  @Test
  void rejectsEverythingOnceItIsClosed() {
    ReplaceableStore store = open();
    store.close();
    assertThat(read(store, "k")).isEqualTo(UNKNOWN);
    assertThat(store.reset("too late")).isCompletedExceptionally();
    assertThat(aside()).isEmpty();
  }
}
