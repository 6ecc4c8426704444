package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static dev.kvorum.storage.rocks.StoreFixture.scan;
import static dev.kvorum.storage.rocks.StoreFixture.settings;
import static dev.kvorum.storage.rocks.StoreFixture.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.kvorum.data.KeyRange;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.BatchReplies;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;

/** Files with wrong bytes in them: each record is found, or reported as unknown. */
class CorruptionTest {
  private static final int RECORDS = 400;
  private static final ReadResult UNKNOWN = new ReadResult.Unknown(RejectReason.STORAGE_FAILED);
  private static final ScanLimits ALL = new ScanLimits(RECORDS * 2, 1 << 24);

  private final Queue<String> alarms = new ConcurrentLinkedQueue<>();
  private @TempDir Path directory;

  private RecordStore open(String... more) {
    return StoreFixture.open(with(settings(directory), more), alarms::add);
  }

  private static String key(int i) {
    return "k%04d".formatted(i);
  }

  private static String value(int i) {
    return ("value " + i + " ").repeat(40) + i * 7919;
  }

  /** Leaves all records in one table. */
  private Path fill(String... more) {
    try (RecordStore store = open(more)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
    }
    // What was in the log goes into tables at the next opening.
    open(more).close();
    return StoreFiles.tables(directory).stream()
        .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
        .orElseThrow();
  }

  /** How many records are unknown; fails for any wrong result. */
  private int unknownIn(RecordStore store, String where) {
    int unknown = 0;
    for (int i = 0; i < RECORDS; i += 3) {
      ReadResult found = read(store, key(i));
      ReadResult version = read(store, key(i), Detail.VERSION);
      if (found.equals(UNKNOWN)) {
        unknown++;
      } else {
        assertThat(found).as(where).isEqualTo(new ReadResult.Found(live(1 + i, value(i))));
      }
      if (!version.equals(UNKNOWN)) {
        assertThat(version)
            .as(where)
            .isEqualTo(new ReadResult.FoundVersion(live(1 + i, "").version()));
      }
    }
    return unknown;
  }

  private static void assertCompleteOrUnknown(ScanResult scanned, String where) {
    switch (scanned) {
      case ScanResult.Page page ->
          assertThat(page.records()).as("%s: a page to the end", where).hasSize(RECORDS);
      case ScanResult.Unknown unknown ->
          assertThat(unknown.reason()).isEqualTo(RejectReason.STORAGE_FAILED);
    }
  }

  @Test
  void noByteOfATableMakesARecordAbsentOrOther() {
    Path table = fill();
    long length = table.toFile().length();
    int noticed = 0;
    for (int probe = 0; probe < 64; probe++) {
      // Data is at the front; the second half of the probes covers what follows it.
      long at = probe < 32 ? probe * length / 32 : length - 1 - (probe - 32) * 61L;
      String where = "byte " + at + " of " + length;
      alarms.clear();
      StoreFiles.flip(table, at);
      try (RecordStore store = open()) {
        assertCompleteOrUnknown(scan(store, KeyRange.ALL, Detail.RECORD, ALL), where);
        if (unknownIn(store, where) > 0) {
          assertThat(alarms).as(where).hasSize(1);
          assertThat(store.isCorrupted()).isTrue();
          noticed++;
        }
      } catch (StoreOpenException e) {
        assertThat(e.isCorruption()).as(where + e.getMessage()).isTrue();
      }
      StoreFiles.flip(table, at);
    }
    assertThat(noticed).as("probes into data").isGreaterThan(20);
    try (RecordStore store = open()) {
      assertThat(unknownIn(store, "sound again")).isZero();
    }
  }

  @Test
  void noByteOfABlobFileMakesARecordAbsentOrOther() throws IOException {
    String blobs = "blob-min=200";
    fill(blobs);
    Path file = StoreFiles.like(directory, "", ".blob").getFirst();
    long length = file.toFile().length();
    int noticed = 0;
    for (int probe = 0; probe <= 40; probe++) {
      // The file's header, entries and footer, and the whole file.
      long at = probe == 0 ? 2 : Math.max(0, probe * (length / 40) - 1);
      byte[] sound = Files.readAllBytes(file);
      String where = probe == 20 ? "no file" : "byte " + at + " of " + length;
      if (probe == 20) {
        Files.delete(file);
      } else {
        StoreFiles.flip(file, at);
      }
      alarms.clear();
      try (RecordStore store = open(blobs)) {
        assertCompleteOrUnknown(scan(store, KeyRange.ALL, Detail.RECORD, ALL), where);
        int unknown = unknownIn(store, where);
        assertThat(store.isCorrupted()).as(where).isEqualTo(!alarms.isEmpty());
        assertThat(alarms).as(where).hasSizeBetween(unknown > 0 ? 1 : 0, 1);
        noticed += alarms.size();
      } catch (StoreOpenException e) {
        assertThat(e.isCorruption()).as(where + e.getMessage()).isTrue();
        noticed++;
      }
      Files.write(file, sound);
    }
    assertThat(noticed).as("probes").isGreaterThan(36);
    try (RecordStore store = open(blobs)) {
      assertThat(unknownIn(store, "sound again")).isZero();
    }
  }

  @Test
  void anOpenStoreReturnsUnknownForACorruptedBlockAndReportsItOnce() {
    Path table = fill();
    try (RecordStore store = open()) {
      StoreFiles.flip(table, table.toFile().length() / 3);
      int unknown = unknownIn(store, "a block");
      assertThat(unknown).isPositive();
      assertThat(scan(store, KeyRange.ALL, Detail.RECORD, ALL))
          .isEqualTo(new ScanResult.Unknown(RejectReason.STORAGE_FAILED));
      assertThat(scan(store, KeyRange.ALL, Detail.VERSION, ALL))
          .isEqualTo(new ScanResult.Unknown(RejectReason.STORAGE_FAILED));
      assertThat(alarms).hasSize(1);
      int rejected = 0;
      for (int i = 0; i < RECORDS; i += 3) {
        WriteResult old = apply(store, put(key(i), 0, "old"));
        assertThat(old).as("what is there may be newer").isNotEqualTo(STORED);
        rejected += old.equals(BatchReplies.FAILED) ? 1 : 0;
      }
      assertThat(rejected).isEqualTo(unknown);
      assertThat(apply(store, put("new", RECORDS + 1, "v"))).isEqualTo(STORED);
    }
  }

  @Test
  void aCompactionThatMeetsDamageRaisesTheAlarm() throws InterruptedException {
    Path table = fill();
    try (RecordStore store = open()) {
      StoreFiles.flip(table, table.toFile().length() / 3);
      Thread compaction = Thread.startVirtualThread(() -> compact(StoreFixture.database(store)));
      compaction.join();
      assertThat(alarms).as("nobody read or wrote").isEmpty();
      StoreFixture.awaitUntil(() -> !alarms.isEmpty());
      assertThat(alarms).hasSize(1).first().asString().contains("checksum mismatch");
      assertThat(store.isCorrupted()).isTrue();
      assertThat(apply(store, put("k", RECORDS + 1, "v"))).isEqualTo(BatchReplies.FAILED);
    }
  }

  private static void compact(RocksDatabase database) {
    try (CompactRangeOptions all =
        new CompactRangeOptions().setBottommostLevelCompaction(BottommostLevelCompaction.kForce)) {
      database.db().compactRange(database.records(), null, null, all);
      fail("it did not meet the damage");
    } catch (RocksDBException e) {
      assertThat(e).hasMessageContaining("checksum mismatch");
    }
  }

  @Test
  void filesThatAreGoneOrCutAreDamage() throws IOException {
    Path table = fill();
    for (Path file :
        List.of(
            table,
            directory.resolve("CURRENT"),
            StoreFiles.like(directory, "MANIFEST-", "").getFirst())) {
      byte[] sound = Files.readAllBytes(file);
      Files.delete(file);
      assertCorrupted(file + " is gone");
      Files.write(file, sound);
    }
    byte[] sound = Files.readAllBytes(table);
    try (RandomAccessFile cut = new RandomAccessFile(table.toFile(), "rw")) {
      cut.setLength(sound.length / 2);
    }
    assertCorrupted("a table is cut");
    Files.write(table, sound);

    for (String prefix : List.of("CURRENT", "MANIFEST-")) {
      Path file = StoreFiles.like(directory, prefix, "").getFirst();
      StoreFiles.flip(file, file.toFile().length() / 2);
      assertCorrupted("a byte of " + file);
      StoreFiles.flip(file, file.toFile().length() / 2);
    }
    try (RecordStore store = open()) {
      assertThat(unknownIn(store, "sound again")).isZero();
    }
  }

  private void assertCorrupted(String what) {
    try (RecordStore store = open()) {
      fail("opened though %s; %d of its records are unknown", what, unknownIn(store, what));
    } catch (StoreOpenException e) {
      assertThat(e.isCorruption()).as("%s: %s", what, e.getMessage()).isTrue();
    }
  }

  @Test
  void aLogWithoutItsAnchorIsDamageAndNotANewStore() throws IOException {
    try (RecordStore store = open()) {
      apply(store, put("k", 1, "v"));
    }
    assertThat(StoreFiles.tables(directory)).isEmpty();
    Files.delete(directory.resolve("CURRENT"));
    assertCorrupted("CURRENT is gone");
  }

  @Test
  void aStoreInUseIsNotDamagedWhateverItsFilesAre() throws IOException {
    try (RecordStore store = open()) {
      apply(store, put("k", 1, "v"));
      Files.delete(directory.resolve("CURRENT"));
      try (RecordStore second = open()) {
        fail("opened twice: %s", second.stats());
      } catch (StoreOpenException e) {
        assertThat(e.isCorruption()).isFalse();
        assertThat(e).hasMessageContaining("another process is using it");
      }
      assertThat(read(store, "k")).isEqualTo(new ReadResult.Found(live(1, "v")));
    }
  }
}
