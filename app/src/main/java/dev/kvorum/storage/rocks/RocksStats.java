package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.EngineStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/** Reads RocksDB's statistics from its properties, its counters and its directory. */
final class RocksStats {
  private RocksStats() {}

  /** Reads them. */
  static EngineStats of(RocksDatabase database, Path directory)
      throws RocksDBException, IOException {
    return new EngineStats(
        database.cacheBytes(),
        ofAllFamilies(database, "rocksdb.cur-size-all-mem-tables"),
        ofAllFamilies(database, "rocksdb.total-sst-files-size"),
        ofAllFamilies(database, "rocksdb.estimate-live-data-size"),
        new EngineStats.Blobs(
            ofRecords(database, "rocksdb.num-blob-files"),
            ofRecords(database, "rocksdb.total-blob-file-size"),
            ofRecords(database, "rocksdb.live-blob-file-garbage-size")),
        logBytes(directory),
        ofAllFamilies(database, "rocksdb.estimate-pending-compaction-bytes"),
        ofRecords(database, "rocksdb.estimate-num-keys"),
        ofRecords(database, "rocksdb.background-errors"),
        levelFiles(database),
        database.db().getLongProperty("rocksdb.is-write-stopped") != 0,
        counts(database.statistics()));
  }

  private static List<Long> levelFiles(RocksDatabase database) throws RocksDBException {
    Long[] files = new Long[EngineStats.LEVELS];
    for (int level = 0; level < EngineStats.LEVELS; level++) {
      // RocksDB provides this property as text, not as a number.
      String text =
          database.db().getProperty(database.records(), "rocksdb.num-files-at-level" + level);
      files[level] = Long.valueOf(text);
    }
    return List.of(files);
  }

  private static long ofRecords(RocksDatabase database, String property) throws RocksDBException {
    return database.db().getLongProperty(database.records(), property);
  }

  private static long ofAllFamilies(RocksDatabase database, String property)
      throws RocksDBException {
    return database.db().getAggregatedLongProperty(property);
  }

  private static long logBytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .mapToLong(RocksStats::size)
          .sum();
    }
  }

  /** RocksDB may delete a log after the directory was listed. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EngineStats.Counts counts(Statistics statistics) {
    long moved = statistics.getTickerCount(TickerType.BLOB_DB_GC_BYTES_RELOCATED);
    long written = statistics.getTickerCount(TickerType.BLOB_DB_BLOB_FILE_BYTES_WRITTEN);
    return new EngineStats.Counts(
        statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT),
        statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS),
        statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES),
        statistics.getTickerCount(TickerType.COMPACT_READ_BYTES),
        statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
        Math.max(0, written - moved),
        moved,
        statistics.getTickerCount(TickerType.STALL_MICROS));
  }
}
