package dev.kvorum.storage.engine;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.tombstone;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.RocksStore;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class RecordStoreTest {
  private @TempDir Path directory;

  @Test
  void readsRecordsVersionsAndAbsences() {
    try (RecordStore store = open(directory)) {
      apply(store, put("large", 6, "v".repeat(100_000)));
      apply(store, put("largest", 9, "w".repeat(3_000_000)));
      apply(store, put("k", 5, "value"));
      apply(store, put("empty", 7, ""));
      apply(store, new Mutation(Key.of("gone"), tombstone(8)));

      assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(5, "value")));
      assertThat(read(store, "large"))
          .isEqualTo(new ReadResult.Found(live(6, "v".repeat(100_000))));
      assertThat(read(store, "largest"))
          .isEqualTo(new ReadResult.Found(live(9, "w".repeat(3_000_000))));
      assertThat(read(store, "large", Store.Detail.VERSION))
          .isEqualTo(new ReadResult.FoundVersion(new Version(6, 1)));
      assertThat(read(store, "empty")).isEqualTo(new ReadResult.Found(live(7, "")));
      assertThat(read(store, "gone")).isEqualTo(new ReadResult.Found(tombstone(8)));
      assertThat(read(store, "never")).isEqualTo(ReadResult.Absent.ABSENT);
      assertThat(read(store, "never", Store.Detail.VERSION)).isEqualTo(ReadResult.Absent.ABSENT);
    }
  }

  @Test
  void keepsEverythingWhenItIsOpenedAgain() {
    try (RecordStore store = open(directory)) {
      for (int i = 0; i < 100; i++) {
        apply(store, put("k" + i, 5 + i, "value"));
      }
      CompletableFuture<WriteResult> kept = new CompletableFuture<>();
      store.marks().keepMark("pulled/kvorum-1", 77_000, INLINE, kept::complete);
      assertThat(await(kept)).isEqualTo(STORED);
    }
    try (RecordStore store = open(directory)) {
      for (int i = 0; i < 100; i++) {
        assertThat(read(store, "k" + i)).isEqualTo(new ReadResult.Found(live(5 + i, "value")));
      }
      assertThat(store.marks().mark("pulled/kvorum-1")).isEqualTo(77_000);
    }
  }

  @Test
  void readsFromTheDiskOnTheLoopAndNotOnTheCallersThread() {
    fillBeyondTheCache();
    try (RecordStore store = open(directory)) {
      StoreFixture.HeldLoop loop = new StoreFixture.HeldLoop();
      List<ReadResult> answers = new ArrayList<>();
      store.read(Key.of("k00007"), Store.Detail.RECORD, loop, answers::add);
      assertThat(answers).as("answered without the disk").isEmpty();
      loop.runNext();
      assertThat(answers).as("at the end of the turn the pool has the read").isEmpty();
      loop.runNext();
      assertThat(answers).containsExactly(new ReadResult.Found(live(7, "v".repeat(1000) + 7)));
      assertThat(store.stats().diskReads()).isEqualTo(1);

      store.read(Key.of("k00007"), Store.Detail.RECORD, loop, answers::add);
      assertThat(answers).as("its block is in memory now").hasSize(2);
      assertThat(store.stats().memoryReads()).isEqualTo(1);
    }
  }

  @Test
  void findsAllRecordsBeyondTheCache() {
    fillBeyondTheCache();
    try (RecordStore store = open(directory)) {
      for (int i = 0; i < 20_000; i += 37) {
        String key = "k%05d".formatted(i);
        assertThat(read(store, key, Store.Detail.VERSION))
            .isEqualTo(new ReadResult.FoundVersion(new Version(i, 1)));
        assertThat(read(store, key)).isInstanceOf(ReadResult.Found.class);
        assertThat(read(store, key + "x")).isEqualTo(ReadResult.Absent.ABSENT);
      }
      assertThat(store.stats().diskReads()).isPositive();
    }
  }

  private void fillBeyondTheCache() {
    try (RecordStore store = open(directory)) {
      for (int i = 0; i < 20_000; i += 100) {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
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
    try (RecordStore store = open(directory)) {
      CompletableFuture<ReadResult> answer = new CompletableFuture<>();
      store.read(
          Key.of("k00007"),
          Store.Detail.RECORD,
          INLINE,
          new Waiter<>() {
            @Override
            public void reply(ReadResult lookup) {
              answer.complete(lookup);
            }

            @Override
            public boolean isWaiting() {
              return false;
            }
          });
      assertThat(await(answer)).isEqualTo(new ReadResult.Unknown(RejectReason.EXPIRED));
    }
  }

  /** A store on a disk with so many free bytes. */
  private RecordStore openOnDisk(AtomicLong free) {
    return RocksStore.open(
        settings(directory),
        new StoreProbes(CommitListener.NONE, free::get, new ChecksumVerifier()),
        damage -> {});
  }

  @Test
  void rejectsPutsButNotDeletesOrReadsWhileTheDiskIsNearlyFull(CapturedOutput output) {
    AtomicLong free = new AtomicLong(1999);
    try (RecordStore store = openOnDisk(free)) {
      assertThat(output).contains("The disk of the data directory has 0 MB free: below 0 MB");
      assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
      free.set(999);
      StoreFixture.awaitUntil(store::isNearlyFull);
      assertThat(store.diskFreeBytes()).isEqualTo(999);
      assertThat(apply(store, put("k", 2, "w")))
          .isEqualTo(new WriteResult.Rejected(RejectReason.DISK_FULL));
      assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(1, "v")));
      assertThat(apply(store, new Mutation(Key.of("k"), tombstone(3)))).isEqualTo(STORED);

      free.set(1000);
      StoreFixture.awaitUntil(() -> !store.isNearlyFull());
      assertThat(apply(store, put("k", 4, "x"))).isEqualTo(STORED);
      assertThat(output).contains("The disk of the data directory is nearly full");
    }
  }

  @Test
  void salvagedRecordsMayUseHalfOfTheSpaceThatOthersLeaveFree() {
    AtomicLong free = new AtomicLong(500);
    try (RecordStore store = openOnDisk(free)) {
      assertThat(apply(store, put("k", 1, "v")))
          .isEqualTo(new WriteResult.Rejected(RejectReason.DISK_FULL));
      assertThat(salvage(store, put("k", 1, "v"))).isEqualTo(STORED);
      free.set(499);
      StoreFixture.awaitUntil(() ->
          salvage(store, put("k", 1, "v"))
              .equals(new WriteResult.Rejected(RejectReason.DISK_FULL)));
    }
  }

  private static WriteResult salvage(RecordStore store, Mutation mutation) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.applySalvaged(mutation, StoreFixture.INLINE, answer::complete);
    return await(answer);
  }

  @Test
  void returnsUnknownAndNotAbsentForCorruptedRecords() throws RocksDBException {
    try (RocksDatabase raw = RocksDatabase.open(settings(directory))) {
      byte[] damaged = RecordCodec.encode(live(1, "v").sealed(Key.of("k")));
      damaged[0] = 99;
      raw.db().put(raw.records(), "newer".getBytes(StandardCharsets.UTF_8), damaged);
      raw.db().put(raw.records(), "short".getBytes(StandardCharsets.UTF_8), new byte[] {1, 0});
    }
    try (RecordStore store = open(directory)) {
      for (String key : List.of("newer", "short")) {
        ReadResult unknown = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);
        assertThat(read(store, key)).isEqualTo(unknown);
        assertThat(read(store, key, Store.Detail.VERSION)).isEqualTo(unknown);
        assertThat(apply(store, put(key, 0, "v")))
            .as("what it replaces may be newer")
            .isEqualTo(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
      }
      assertThat(apply(store, put("sound", 0, "v"))).isEqualTo(STORED);
      assertThat(store.stats().readFailures()).isPositive();

      assertThat(apply(store, put("newer", 9, "v")))
          .as("newer than whatever was stored")
          .isEqualTo(STORED);
      assertThat(read(store, "newer")).isEqualTo(new ReadResult.Found(live(9, "v")));
    }
  }

  @Test
  void rejectsEverythingAfterItWasClosed() {
    RecordStore store = open(directory);
    apply(store, put("k", 1, "v"));
    store.close();
    store.close();

    assertThat(read(store, "k")).isEqualTo(new ReadResult.Unknown(RejectReason.STORAGE_FAILED));
    assertThat(apply(store, put("k", 2, "v")))
        .isEqualTo(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
    assertThat(store.stats().database().tableBytes()).isZero();
    assertThat(store.stats().queuedWrites()).isZero();
  }

  @Test
  void closesUnderReadsAndWritesWithoutCrashing() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      RecordStore store = open(directory.resolve("round-" + round));
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
