package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.rocks.RocksDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReaderIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads single tables of a corrupted store separately. */
final class SalvageTable {
  private static final Logger log = LoggerFactory.getLogger(SalvageTable.class);

  private SalvageTable() {}

  /** A table's file, its level, and its first and last key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Table(Path file, int level, byte[] smallestKey, byte[] largestKey) {
    /** Returns whether it may have keys of a range, whose bounds may be open. */
    boolean overlaps(byte @Nullable [] from, byte @Nullable [] before) {
      return (before == null || compare(smallestKey, before) < 0)
          && (from == null || compare(largestKey, from) >= 0);
    }
  }

  /** The tables of records, sorted by their first key. */
  static List<Table> of(RocksDB db, Path directory) {
    return db.getLiveFilesMetaData().stream()
        .filter(table -> Arrays.equals(table.columnFamilyName(), RocksDatabase.recordsName()))
        .map(table ->
            new Table(
                file(directory, table.fileName()),
                table.level(),
                table.smallestKey(),
                table.largestKey()))
        .sorted((a, b) -> compare(a.smallestKey(), b.smallestKey()))
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
    try (TableReader reader = TableReader.open(table)) {
      return Arrays.equals(reader.familyName(), RocksDatabase.recordsName());
    } catch (RocksDBException e) {
      return true;
    }
  }

  /**
   * What was read of a table.
   *
   * @param last the last key that was added if more may follow; null at the end of the range
   * @param gaps where records may be missing
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(byte @Nullable [] last, List<KeyRange> gaps) {}

  /**
   * Adds a table's records of a range, up to a number of bytes and at least one record.
   *
   * @param from first key of the range; null: the table's first key
   * @param before first key behind the range; null: no end
   * @param blobs to which the table refers
   * @param into by key, the newest record
   */
  static Part read(
      Path table,
      byte @Nullable [] from,
      byte @Nullable [] before,
      long bytesMax,
      BlobFiles blobs,
      SortedMap<byte[], byte[]> into) {
    List<KeyRange> gaps = new ArrayList<>();
    long bytes = 0;
    try (TableReader reader = TableReader.open(table);
        SalvageScan<SstFileReaderIterator> scan =
            new SalvageScan<>(
                reader::newIterator,
                SstFileReaderIterator::key,
                SalvageScan.KnownKeys.NONE,
                from,
                before)) {
      byte[] key;
      do {
        key = scan.next();
        if (scan.isBehindGap()) {
          gaps.add(range(scan.gapStart(), key == null ? before : key));
        }
        if (key != null) {
          bytes += key.length;
          Optional<byte[]> stored = blobs.resolve(key, scan.at().value());
          if (stored.isPresent()) {
            into.merge(key, stored.get(), RecordCodec::newer);
            bytes += stored.get().length;
          }
        }
      } while (key != null && bytes < bytesMax);
      return new Part(key, gaps);
    } catch (RocksDBException e) {
      log.warn("Table {} cannot be read: {}", table, e.getMessage());
      return new Part(null, List.of(range(from, before)));
    }
  }

  /** The next key in byte order, which has one more byte, 0. */
  static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The range from a key (inclusive) to another one (exclusive); null bounds are open. */
  static KeyRange range(byte @Nullable [] after, byte @Nullable [] before) {
    return new KeyRange(
        Optional.ofNullable(after).filter(key -> key.length > 0).map(Key::ofBytes),
        true,
        Optional.ofNullable(before).map(Key::ofBytes));
  }
}
