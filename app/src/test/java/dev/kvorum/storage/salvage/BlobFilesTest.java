package dev.kvorum.storage.salvage;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.applying;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.removing;
import static dev.kvorum.storage.rocks.StoreFixture.scan;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineStats;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.StoreFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large records in blob files. */
class BlobFilesTest {
  private static final int KEYS = 1200;
  private static final int LARGE = 3000;
  private static final ScanLimits ALL = new ScanLimits(KEYS * 2, 1 << 26);

  private @TempDir Path directory;

  /** Values from 1000 bytes in blob files, which are looked after all the time. */
  private StoreSettings blobs(String... more) {
    List<String> all =
        new ArrayList<>(List.of("blob-min=1000", "blob-file=1MB", "reclaim-interval=20ms"));
    all.addAll(List.of(more));
    return with(settings(directory), all.toArray(String[]::new));
  }

  private static String key(int i) {
    return "k%04d".formatted(i);
  }

  /** A value that differs between keys and rounds; every fourth is small. */
  private static String value(int key, int round) {
    return (key + " in " + round + " ").repeat(key % 4 == 0 ? 2 : LARGE / 8);
  }

  private static long stamp(int key, int round) {
    return (long) round * KEYS + key + 1;
  }

  private static Mutation written(int key, int round) {
    return put(key(key), stamp(key, round), value(key, round));
  }

  private static void writeAll(RecordStore store, int round) {
    List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      answers.add(applying(store, written(i, round)));
    }
    answers.forEach(answer -> assertThat(StoreFixture.await(answer)).isEqualTo(STORED));
  }

  private static void assertHasAll(RecordStore store, int round) {
    assertHasAll(store, i -> round);
  }

  private static void assertHasAll(RecordStore store, IntUnaryOperator newest) {
    for (int i = 0; i < KEYS; i++) {
      int round = newest.applyAsInt(i);
      assertThat(read(store, key(i)))
          .as(key(i))
          .isEqualTo(new ReadResult.Found(live(stamp(i, round), value(i, round))));
      assertThat(read(store, key(i), Detail.VERSION))
          .as(key(i))
          .isEqualTo(new ReadResult.FoundVersion(new Version(stamp(i, round), 1)));
    }
    ScanResult.Page page = (ScanResult.Page) scan(store, KeyRange.ALL, Detail.RECORD, ALL);
    assertThat(page.records()).hasSize(KEYS).contains(written(7, newest.applyAsInt(7)));
  }

  private static void flush(RecordStore store) throws Exception {
    store.engine().flush();
  }

  private static EngineStats stats(RecordStore store) {
    return store.stats().database();
  }

  private static EngineStats.Blobs blobs(RecordStore store) {
    return stats(store).blobs();
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void largeRecordsAreInBlobFilesAndReadAsOthersAre(String directIo) throws Exception {
    try (RecordStore store = open(blobs("direct-io=" + directIo))) {
      writeAll(store, 0);
      flush(store);
      assertHasAll(store, 0);
      assertThat(blobs(store).bytes()).isBetween((long) KEYS / 2 * LARGE, (long) KEYS * LARGE * 2);
      assertThat(stats(store).tableBytes()).isLessThan((long) KEYS * LARGE / 4);
      assertThat(stats(store).counts().blobFlushedBytes()).isGreaterThan((long) KEYS / 2 * LARGE);
      writeAll(store, 1);
      assertHasAll(store, 1);
    }
    try (RecordStore store = open(blobs())) {
      assertHasAll(store, 1);
    }
  }

  @Test
  void theSpaceOfOverwrittenRecordsIsReclaimedUpToTheBound() throws Exception {
    int[] newest = new int[KEYS];
    try (RecordStore store = open(blobs("blob-space-max=1.4"))) {
      writeAll(store, 0);
      for (int round = 1; round < 20; round++) {
        List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
        // A third is never overwritten, so that no file becomes empty by itself.
        for (int i = round % 2; i < KEYS; i += 2) {
          if (i % 3 > 0) {
            newest[i] = round;
            answers.add(applying(store, written(i, round)));
          }
        }
        answers.forEach(answer -> assertThat(StoreFixture.await(answer)).isEqualTo(STORED));
        flush(store);
      }
      long live = IntStream.range(0, KEYS).mapToLong(i -> value(i, newest[i]).length()).sum();
      awaitUntil(() -> stats(store).tableBytes() + blobs(store).bytes() < live * 3 / 2);
      assertThat(stats(store).counts().blobMovedBytes()).isPositive();
      assertHasAll(store, i -> newest[i]);
    }
  }

  @Test
  void theSpaceOfRemovedRecordsComesBackToo() throws Exception {
    try (RecordStore store = open(blobs())) {
      writeAll(store, 0);
      flush(store);
      long full = blobs(store).bytes();
      List<CompletableFuture<WriteResult>> answers = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        answers.add(removing(store, key(i), stamp(i, 0)));
      }
      answers.forEach(StoreFixture::await);
      flush(store);
      // A compaction begins at 1000 removed records, and may not see the rest, a sixth; 1.6 times
      // that may stay.
      awaitUntil(() -> blobs(store).bytes() < full / 3);
    }
  }

  /** Opening a store without blob files again, with and without them. */
  @Test
  void recordsMoveIntoBlobFilesAndBackIntoTables() throws Exception {
    try (RecordStore store = open(blobs("blob-min=0"))) {
      writeAll(store, 0);
      flush(store);
      assertThat(blobs(store).files()).isZero();
    }
    try (RecordStore store = open(blobs())) {
      assertHasAll(store, 0);
      writeAll(store, 1);
      flush(store);
      assertThat(blobs(store).files()).isPositive();
      assertHasAll(store, 1);
    }
    try (RecordStore store = open(blobs("blob-min=0"))) {
      awaitUntil(() -> blobs(store).files() == 0);
      assertHasAll(store, 1);
      assertThat(apply(store, written(5, 2))).isEqualTo(STORED);
    }
    try (RecordStore store = open(blobs("blob-min=0"))) {
      assertThat(blobs(store).files()).isZero();
      assertThat(read(store, key(5)))
          .isEqualTo(new ReadResult.Found(live(stamp(5, 2), value(5, 2))));
    }
  }

  /**
   * Compactions of which no key remains, and which have moved records: rocksdb#14897 failed them
   * with "No such file", which would set the store aside.
   */
  @Test
  void compactionsThatDropTheirTablesAreNoFailure() throws Exception {
    List<String> corruption = new ArrayList<>();
    try (RecordStore store = open(blobs("blob-space-max=1.1"), corruption::add)) {
      for (int round = 0; round < 30; round++) {
        writeAll(store, round);
        flush(store);
        if (round % 3 == 2) {
          for (int i = 0; i < KEYS; i++) {
            removing(store, key(i), stamp(i, round));
          }
          flush(store);
          store.engine().compactRecords(round % 2 == 0);
        }
      }
      assertThat(store.engine().backgroundErrors()).isZero();
      assertThat(store.stats().writeFailures()).isZero();
    }
    assertThat(corruption).isEmpty();
  }
}
