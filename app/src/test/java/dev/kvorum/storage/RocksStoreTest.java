package dev.kvorum.storage;

import static dev.kvorum.storage.StoreFixture.INLINE;
import static dev.kvorum.storage.StoreFixture.STORED;
import static dev.kvorum.storage.StoreFixture.apply;
import static dev.kvorum.storage.StoreFixture.await;
import static dev.kvorum.storage.StoreFixture.live;
import static dev.kvorum.storage.StoreFixture.open;
import static dev.kvorum.storage.StoreFixture.put;
import static dev.kvorum.storage.StoreFixture.read;
import static dev.kvorum.storage.StoreFixture.settings;
import static dev.kvorum.storage.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class RocksStoreTest {
  private @TempDir Path directory;

  @Test
  void readsRecordsVersionsAndAbsences() {
    try (RocksStore store = open(directory)) {
      apply(store, put("k", 5, "value"));
      apply(store, put("large", 6, "v".repeat(100_000)));
      apply(store, put("empty", 7, ""));
      apply(store, new Mutation(Key.of("gone"), tombstone(8)));

      assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live(5, "value")));
      assertThat(read(store, "large")).isEqualTo(new Lookup.Found(live(6, "v".repeat(100_000))));
      assertThat(read(store, "large", Store.Detail.VERSION))
          .isEqualTo(new Lookup.FoundVersion(new Version(6, 1)));
      assertThat(read(store, "empty")).isEqualTo(new Lookup.Found(live(7, "")));
      assertThat(read(store, "gone")).isEqualTo(new Lookup.Found(tombstone(8)));
      assertThat(read(store, "never")).isEqualTo(Lookup.Absent.ABSENT);
      assertThat(read(store, "never", Store.Detail.VERSION)).isEqualTo(Lookup.Absent.ABSENT);
    }
  }

  @Test
  void keepsEverythingWhenItIsOpenedAgain() {
    try (RocksStore store = open(directory)) {
      for (int i = 0; i < 100; i++) {
        apply(store, put("k" + i, 5 + i, "value"));
      }
      CompletableFuture<Applied> kept = new CompletableFuture<>();
      store.marks().keepMark("pulled/kvorum-1", 77_000, INLINE, kept::complete);
      assertThat(await(kept)).isEqualTo(STORED);
    }
    try (RocksStore store = open(directory)) {
      for (int i = 0; i < 100; i++) {
        assertThat(read(store, "k" + i)).isEqualTo(new Lookup.Found(live(5 + i, "value")));
      }
      assertThat(store.marks().mark("pulled/kvorum-1")).isEqualTo(77_000);
    }
  }

  @Test
  void readsFromTheDiskOnTheLoopAndNotOnTheCallersThread() {
    fillBeyondTheCache();
    try (RocksStore store = open(directory)) {
      StoreFixture.HeldLoop loop = new StoreFixture.HeldLoop();
      List<Lookup> answers = new ArrayList<>();
      store.read(Key.of("k00007"), Store.Detail.RECORD, loop, answers::add);
      assertThat(answers).as("answered without the disk").isEmpty();
      loop.runNext();
      assertThat(answers).containsExactly(new Lookup.Found(live(7, "v".repeat(1000) + 7)));
      assertThat(store.stats().diskReads()).isEqualTo(1);

      store.read(Key.of("k00007"), Store.Detail.RECORD, loop, answers::add);
      assertThat(answers).as("its block is in memory now").hasSize(2);
      assertThat(store.stats().memoryReads()).isEqualTo(1);
    }
  }

  @Test
  void findsAllRecordsBeyondTheCache() {
    fillBeyondTheCache();
    try (RocksStore store = open(directory)) {
      for (int i = 0; i < 20_000; i += 37) {
        String key = "k%05d".formatted(i);
        assertThat(read(store, key, Store.Detail.VERSION))
            .isEqualTo(new Lookup.FoundVersion(new Version(i, 1)));
        assertThat(read(store, key)).isInstanceOf(Lookup.Found.class);
        assertThat(read(store, key + "x")).isEqualTo(Lookup.Absent.ABSENT);
      }
      assertThat(store.stats().diskReads()).isPositive();
    }
  }

  private void fillBeyondTheCache() {
    try (RocksStore store = open(directory)) {
      for (int i = 0; i < 20_000; i += 100) {
        List<CompletableFuture<Applied>> answers = new ArrayList<>();
        for (int j = i; j < i + 100; j++) {
          String value = "v".repeat(1000) + j;
          answers.add(StoreFixture.applying(store, put("k%05d".formatted(j), j, value)));
        }
        assertThat(answers).allSatisfy(answer -> assertThat(await(answer)).isEqualTo(STORED));
      }
    }
  }

  @Test
  void doesNotReadTheDiskForAWaiterThatNoLongerWaits() {
    fillBeyondTheCache();
    try (RocksStore store = open(directory)) {
      CompletableFuture<Lookup> answer = new CompletableFuture<>();
      store.read(
          Key.of("k00007"),
          Store.Detail.RECORD,
          INLINE,
          new Waiter<>() {
            @Override
            public void answer(Lookup lookup) {
              answer.complete(lookup);
            }

            @Override
            public boolean isWaiting() {
              return false;
            }
          });
      assertThat(await(answer)).isEqualTo(new Lookup.Unknown(Refusal.EXPIRED));
    }
  }

  @Test
  void refusesPutsButNotDeletesOrReadsWhileTheDiskIsNearlyFull() {
    AtomicLong free = new AtomicLong(2000);
    try (RocksStore store =
        RocksStore.open(
            settings(directory),
            CommitProbe.NONE,
            free::get,
            new ChecksumVerifier(),
            damage -> {})) {
      assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
      free.set(999);
      StoreFixture.awaitUntil(store::isNearlyFull);
      assertThat(apply(store, put("k", 2, "w"))).isEqualTo(new Applied.Refused(Refusal.DISK_FULL));
      assertThat(read(store, "k")).isEqualTo(new Lookup.Found(live(1, "v")));
      assertThat(apply(store, new Mutation(Key.of("k"), tombstone(3)))).isEqualTo(STORED);

      free.set(1000);
      StoreFixture.awaitUntil(() -> !store.isNearlyFull());
      assertThat(apply(store, put("k", 4, "x"))).isEqualTo(STORED);
    }
  }

  @Test
  void saysUnknownAndNotAbsentForDamagedRecords() throws RocksDBException {
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      byte[] damaged = RecordCodec.encode(live(1, "v").sealed(Key.of("k")));
      damaged[0] = 99;
      raw.db().put(raw.records(), "newer".getBytes(StandardCharsets.UTF_8), damaged);
      raw.db().put(raw.records(), "short".getBytes(StandardCharsets.UTF_8), new byte[] {1, 0});
    }
    try (RocksStore store = open(directory)) {
      for (String key : List.of("newer", "short")) {
        Lookup unknown = new Lookup.Unknown(Refusal.STORAGE_FAILED);
        assertThat(read(store, key)).isEqualTo(unknown);
        assertThat(read(store, key, Store.Detail.VERSION)).isEqualTo(unknown);
        assertThat(apply(store, put(key, 0, "v")))
            .as("what it replaces may be newer")
            .isEqualTo(new Applied.Refused(Refusal.STORAGE_FAILED));
      }
      assertThat(apply(store, put("sound", 0, "v"))).isEqualTo(STORED);
      assertThat(store.stats().readFailures()).isPositive();

      assertThat(apply(store, put("newer", 9, "v")))
          .as("newer than whatever was stored")
          .isEqualTo(STORED);
      assertThat(read(store, "newer")).isEqualTo(new Lookup.Found(live(9, "v")));
    }
  }

  @Test
  void refusesEverythingAfterItWasClosed() {
    RocksStore store = open(directory);
    apply(store, put("k", 1, "v"));
    store.close();
    store.close();

    assertThat(read(store, "k")).isEqualTo(new Lookup.Unknown(Refusal.STORAGE_FAILED));
    assertThat(apply(store, put("k", 2, "v")))
        .isEqualTo(new Applied.Refused(Refusal.STORAGE_FAILED));
    assertThat(store.stats().database().tableBytes()).isZero();
    assertThat(store.stats().queuedWrites()).isZero();
  }

  @Test
  void closesUnderReadsAndWritesWithoutCrashing() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      RocksStore store = open(directory.resolve("round-" + round));
      AtomicBoolean stop = new AtomicBoolean();
      AtomicLong answers = new AtomicLong();
      List<Thread> callers = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        callers.add(
            Thread.startVirtualThread(() -> {
              for (long i = 1; !stop.get(); i++) {
                apply(store, put("k", i, "v"));
                read(store, "k");
                answers.incrementAndGet();
              }
            }));
      }
      StoreFixture.awaitUntil(() -> answers.get() > 20);
      store.close();
      long whenClosed = answers.get();
      StoreFixture.awaitUntil(() -> answers.get() > whenClosed + 100);
      stop.set(true);
      for (Thread caller : callers) {
        caller.join();
      }
    }
  }
}
