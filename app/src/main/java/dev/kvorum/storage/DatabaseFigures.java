package dev.kvorum.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;

/**
 * RocksDB's own figures at a moment.
 *
 * @param cacheBytes block cache in use, write buffers included
 * @param writeBufferBytes write buffers
 * @param tableBytes table files
 * @param liveBytes of which hold what is not overwritten, estimated
 * @param logBytes write-ahead logs
 * @param compactionPendingBytes what compactions still have to rewrite, estimated
 * @param recordsEstimated number of records, estimated; tombstones count
 * @param backgroundErrors of flushes and compactions since the store was opened
 * @param levelFiles table files of records by level
 * @param writesStopped whether RocksDB holds writes back until a compaction is done
 * @param counts what has been counted since the store was opened
 */
public record DatabaseFigures(
    long cacheBytes,
    long writeBufferBytes,
    long tableBytes,
    long liveBytes,
    long logBytes,
    long compactionPendingBytes,
    long recordsEstimated,
    long backgroundErrors,
    List<Long> levelFiles,
    boolean writesStopped,
    Counts counts) {
  /** Levels of the tree; the youngest tables are in level 0. */
  public static final int LEVELS = 7;

  private static final DatabaseFigures NONE =
      new DatabaseFigures(
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          0,
          IntStream.range(0, LEVELS).mapToObj(level -> 0L).toList(),
          false,
          new Counts(0, 0, 0, 0, 0, 0));

  /**
   * What RocksDB has counted since the store was opened.
   *
   * @param stalledMicros time that writes were held up by flushes and compactions
   */
  public record Counts(
      long cacheHits,
      long cacheMisses,
      long flushedBytes,
      long compactionReadBytes,
      long compactionWrittenBytes,
      long stalledMicros) {
    private static Counts of(Statistics statistics) {
      return new Counts(
          statistics.getTickerCount(TickerType.BLOCK_CACHE_HIT),
          statistics.getTickerCount(TickerType.BLOCK_CACHE_MISS),
          statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES),
          statistics.getTickerCount(TickerType.COMPACT_READ_BYTES),
          statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES),
          statistics.getTickerCount(TickerType.STALL_MICROS));
    }
  }

  /** Reads them; all zero behind a closed gate. */
  static DatabaseFigures of(
      RocksDatabase database, Path directory, Gate gate, FailureLog failures) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return NONE;
    }
    try {
      return of(database, directory);
    } catch (RocksDBException | IOException | UncheckedIOException e) {
      failures.note("cannot read the database's figures", e);
      return NONE;
    } finally {
      gate.leave(ticket);
    }
  }

  private static DatabaseFigures of(RocksDatabase database, Path directory)
      throws RocksDBException, IOException {
    return new DatabaseFigures(
        database.cacheBytes(),
        ofAllFamilies(database, "rocksdb.cur-size-all-mem-tables"),
        ofAllFamilies(database, "rocksdb.total-sst-files-size"),
        ofAllFamilies(database, "rocksdb.estimate-live-data-size"),
        logBytes(directory),
        ofAllFamilies(database, "rocksdb.estimate-pending-compaction-bytes"),
        ofRecords(database, "rocksdb.estimate-num-keys"),
        ofRecords(database, "rocksdb.background-errors"),
        levelFiles(database),
        database.db().getLongProperty("rocksdb.is-write-stopped") != 0,
        Counts.of(database.statistics()));
  }

  private static List<Long> levelFiles(RocksDatabase database) throws RocksDBException {
    Long[] files = new Long[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
      // No number to RocksDB, but a text.
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
          .mapToLong(DatabaseFigures::size)
          .sum();
    }
  }

  /** A log may be deleted between the look at the directory and the look at the file. */
  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
