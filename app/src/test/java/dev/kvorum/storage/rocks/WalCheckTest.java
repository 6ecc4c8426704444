package dev.kvorum.storage.rocks;

import static dev.kvorum.storage.rocks.StoreFixture.STORED;
import static dev.kvorum.storage.rocks.StoreFixture.apply;
import static dev.kvorum.storage.rocks.StoreFixture.live;
import static dev.kvorum.storage.rocks.StoreFixture.open;
import static dev.kvorum.storage.rocks.StoreFixture.put;
import static dev.kvorum.storage.rocks.StoreFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * What becomes of a store whose write-ahead log was torn behind, or corrupted before, its last
 * sync.
 */
class WalCheckTest {
  private static final int RECORDS = 150;
  private static final int PAGE = 4096;

  private @TempDir Path parent;

  /** The files of a running store after its last acknowledgement. */
  private Path acknowledged() throws IOException {
    Path alive = parent.resolve("alive");
    Path image = parent.resolve("image");
    try (RecordStore store = open(alive)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(apply(store, put(key(i), 1 + i, value(i)))).isEqualTo(STORED);
      }
      StoreFiles.copy(alive, image);
    }
    return image;
  }

  private static String key(int i) {
    return "k%04d".formatted(i);
  }

  private static String value(int i) {
    return ("value " + i + " ").repeat(20);
  }

  private static Path log(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .max(Comparator.comparing(Path::getFileName))
          .orElseThrow();
    }
  }

  private static void append(Path log, byte[] tail) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(file.length());
      file.write(tail);
    }
  }

  /** A record of several pages as another store's log has it, to be torn. */
  private byte[] unacknowledgedRecord() throws IOException {
    Path other = parent.resolve("other");
    try (RecordStore store = open(other)) {
      apply(store, put("first", 1, "v"));
      long before = Files.size(log(other));
      apply(store, put("k-torn", 1 << 20, "x".repeat(5 * PAGE)));
      byte[] all = Files.readAllBytes(log(other));
      byte[] record = new byte[(int) (all.length - before)];
      System.arraycopy(all, (int) before, record, 0, record.length);
      return record;
    }
  }

  private void assertKeepsAllAcknowledged(Path directory) {
    try (RecordStore store = open(directory)) {
      for (int i = 0; i < RECORDS; i++) {
        assertThat(read(store, key(i))).isEqualTo(new ReadResult.Found(live(1 + i, value(i))));
      }
      assertThat(apply(store, put("after", 1 << 21, "v"))).isEqualTo(STORED);
    }
    try (RecordStore store = open(directory)) {
      assertThat(read(store, "after")).isEqualTo(new ReadResult.Found(live(1 << 21, "v")));
    }
  }

  private static void assertCorrupted(Path directory) {
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(directory).close())
        .matches(StoreOpenException::isCorruption)
        .withMessageContaining("synced up to sequence");
  }

  @Test
  void dropsAnUnacknowledgedTailWithAZeroPageInItsMiddle() throws IOException {
    Path image = acknowledged();
    byte[] tail = unacknowledgedRecord();
    Arrays.fill(tail, 2 * PAGE, 3 * PAGE, (byte) 0);
    append(log(image), tail);
    assertKeepsAllAcknowledged(image);
  }

  @Test
  void dropsAnUnacknowledgedTailOfWhichOnlyTheFirstPageWasWritten() throws IOException {
    Path image = acknowledged();
    byte[] tail = unacknowledgedRecord();
    Arrays.fill(tail, PAGE, tail.length, (byte) 0);
    append(log(image), tail);
    assertKeepsAllAcknowledged(image);
  }

  @Test
  void dropsAnUnacknowledgedTailOfRandomBytes() throws IOException {
    Path image = acknowledged();
    byte[] tail = new byte[3 * PAGE];
    new Random(7).nextBytes(tail);
    append(log(image), tail);
    assertKeepsAllAcknowledged(image);
  }

  @Test
  void dropsAnUnacknowledgedTailThatWasCut() throws IOException {
    Path image = acknowledged();
    append(log(image), Arrays.copyOf(unacknowledgedRecord(), 3 * PAGE));
    assertKeepsAllAcknowledged(image);
  }

  @Test
  void reportsEveryFlippedByteOfWhatWasSynced() throws IOException {
    Path image = acknowledged();
    long length = Files.size(log(image));
    for (int probe = 0; probe < 24; probe++) {
      Path damaged = parent.resolve("flipped-" + probe);
      StoreFiles.copy(image, damaged);
      StoreFiles.flip(log(damaged), probe * (length - 1) / 23);
      assertCorrupted(damaged);
      StoreFiles.delete(damaged);
    }
  }

  @Test
  void reportsASyncedLogThatWasCutOrIsGone() throws IOException {
    Path image = acknowledged();
    Path cut = parent.resolve("cut");
    StoreFiles.copy(image, cut);
    try (RandomAccessFile file = new RandomAccessFile(log(cut).toFile(), "rw")) {
      file.setLength(file.length() - 10);
    }
    assertCorrupted(cut);
    Path gone = parent.resolve("gone");
    StoreFiles.copy(image, gone);
    Files.delete(log(gone));
    assertCorrupted(gone);
  }

  @Test
  void reportsDamageBeforeTheLastBatchesByThemWhenTheSyncedFileIsOld() throws IOException {
    Path image = acknowledged();
    Files.delete(image.resolve(SyncedSequence.FILE));
    StoreFiles.flip(log(image), Files.size(log(image)) / 2);
    assertCorrupted(image);
  }

  @Test
  void opensAStoreWithoutTheSyncedFile() throws IOException {
    Path image = acknowledged();
    Files.delete(image.resolve(SyncedSequence.FILE));
    assertKeepsAllAcknowledged(image);
  }

  @Test
  void aCorruptedStoreIsLeftAsItWasFound() throws IOException {
    Path image = acknowledged();
    StoreFiles.flip(log(image), Files.size(log(image)) / 2);
    assertCorrupted(image);
    StoreFiles.flip(log(image), Files.size(log(image)) / 2);
    assertKeepsAllAcknowledged(image);
  }

  private static Path manifest(Path directory) {
    return StoreFiles.like(directory, "MANIFEST", "").getLast();
  }

  @Test
  void dropsAChangeOfTheManifestThatWasTorn() throws IOException {
    Path image = acknowledged();
    append(manifest(image), new byte[60]);
    byte[] tail = new byte[5000];
    new Random(7).nextBytes(tail);
    append(manifest(image), tail);
    assertKeepsAllAcknowledged(image);
    assertThat(image.resolve("manifest-check")).doesNotExist();
  }

  @Test
  void reportsACorruptedManifestWhoseTablesAreNeeded() throws IOException {
    Path alive = parent.resolve("alive");
    Path image = parent.resolve("image");
    try (RecordStore store = open(alive)) {
      apply(store, put(key(1), 1, value(1)));
      store.flush();
      StoreFiles.copy(alive, image);
    }
    int reported = 0;
    for (long at = Files.size(manifest(image)) - 1; at > 0; at -= 16) {
      Path damaged = parent.resolve("damaged-" + at);
      StoreFiles.copy(image, damaged);
      StoreFiles.flip(manifest(damaged), at);
      try (RecordStore store = open(damaged)) {
        assertThat(read(store, key(1))).isEqualTo(new ReadResult.Found(live(1, value(1))));
      } catch (StoreOpenException e) {
        assertThat(e.isCorruption()).as(e.getMessage()).isTrue();
        reported++;
      }
      StoreFiles.delete(damaged);
    }
    assertThat(reported).isGreaterThan(10);
  }

  @Test
  void opensAStoreWhoseFamiliesWereNotMadeYet() throws RocksDBException {
    Path directory = parent.resolve("begun");
    try (Options options = new Options().setCreateIfMissing(true);
        RocksDB begun = RocksDB.open(options, directory.toString())) {
      assertThat(begun.getLatestSequenceNumber()).isZero();
    }
    try (RecordStore store = open(directory)) {
      assertThat(apply(store, put("k", 1, "v"))).isEqualTo(STORED);
    }
  }

  @Test
  void reportsAManifestThatWasCutBeforeItsFamilies() throws IOException {
    Path image = acknowledged();
    try (FileChannel file = FileChannel.open(manifest(image), StandardOpenOption.WRITE)) {
      file.truncate(120);
    }
    assertThatExceptionOfType(StoreOpenException.class)
        .isThrownBy(() -> open(image).close())
        .matches(StoreOpenException::isCorruption);
  }
}
