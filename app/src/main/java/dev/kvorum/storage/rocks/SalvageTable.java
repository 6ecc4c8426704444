package dev.kvorum.storage.rocks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single tables of a corrupted store separately. */
final class SalvageTable {
  private static final Logger log = LoggerFactory.getLogger(SalvageTable.class);

  private SalvageTable() {}

  /** A table's file and its first key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Table(Path file, byte[] smallestKey) {}

  /**
   * The tables of records that overlap a range of keys, sorted by their first key; bounds may be
   * open.
   */
  static List<Table> of(
      RocksDB db, Path directory, byte @Nullable [] from, byte @Nullable [] before) {
    return db.getLiveFilesMetaData().stream()
        .filter(table -> Arrays.equals(table.columnFamilyName(), RocksDatabase.RECORDS))
        .filter(table -> before == null || compare(table.smallestKey(), before) < 0)
        .filter(table -> from == null || compare(table.largestKey(), from) >= 0)
        .map(table -> new Table(file(directory, table.fileName()), table.smallestKey()))
        .sorted((a, b) -> compare(a.smallestKey(), b.smallestKey()))
        .toList();
  }

  /**
   * The existing tables of records of which all keys are up to one. Not those of level 0: a scan
   * opens each of them, wherever it starts.
   */
  static List<Path> upTo(RocksDB db, Path directory, byte[] last) {
    return db.getLiveFilesMetaData().stream()
        .filter(table -> Arrays.equals(table.columnFamilyName(), RocksDatabase.RECORDS))
        .filter(table -> table.level() > 0 && compare(table.largestKey(), last) <= 0)
        .map(table -> file(directory, table.fileName()))
        .filter(Files::exists)
        .toList();
  }

  private static Path file(Path directory, String name) {
    return directory.resolve(name.startsWith("/") ? name.substring(1) : name);
  }

  static int compare(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b);
  }

  /** Returns whether a table may contain records; true if it cannot be opened. */
  static boolean mayHoldRecords(Path table) {
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(table.toString());
      return Arrays.equals(
          reader.getTableProperties().getColumnFamilyName(), RocksDatabase.RECORDS);
    } catch (RocksDBException e) {
      return true;
    }
  }

  /**
   * Adds a table's records of a range, up to a number of bytes and at least one record.
   *
   * @param from first key of the range; null: the table's first key
   * @param before first key behind the range; null: no end
   * @return the last key that was added if more may follow; null at the end
   */
  static byte @Nullable [] read(
      Path table,
      byte @Nullable [] from,
      byte @Nullable [] before,
      long bytesMax,
      SortedMap<byte[], byte[]> into) {
    long bytes = 0;
    try (Options options = new Options();
        SstFileReader reader = new SstFileReader(options);
        ReadOptions read = new ReadOptions().setVerifyChecksums(true).setFillCache(false)) {
      reader.open(table.toString());
      try (SalvageScan<SstFileReaderIterator> scan =
          new SalvageScan<>(
              () -> reader.newIterator(read), SstFileReaderIterator::key, from, before)) {
        for (byte[] key = scan.next(); key != null; key = scan.next()) {
          byte[] stored = scan.at().value();
          into.putIfAbsent(key, stored);
          bytes += key.length + (long) stored.length;
          if (bytes >= bytesMax) {
            return key;
          }
        }
        return null;
      }
    } catch (RocksDBException e) {
      log.warn("Table {} cannot be read: {}", table, e.getMessage());
      return null;
    }
  }
}
