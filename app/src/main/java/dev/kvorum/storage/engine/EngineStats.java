package dev.kvorum.storage.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * RocksDB's statistics at one moment.
 *
 * @param cacheBytes used bytes of the block cache, including write buffers
 * @param writeBufferBytes bytes of write buffers
 * @param tableBytes bytes of table files
 * @param liveBytes estimated bytes of table and blob files that are not overwritten
 * @param blobs blob files, which hold large records
 * @param logBytes bytes of write-ahead logs
 * @param compactionPendingBytes estimated bytes that compactions still have to rewrite
 * @param recordsEstimated estimated number of records, including tombstones
 * @param backgroundErrors errors of flushes and compactions since the store was opened
 * @param levelFiles table files of records by level
 * @param writesStopped whether RocksDB stops writes until a compaction has ended
 * @param counts counters since the store was opened
 */
public record EngineStats(
    long cacheBytes,
    long writeBufferBytes,
    long tableBytes,
    long liveBytes,
    Blobs blobs,
    long logBytes,
    long compactionPendingBytes,
    long recordsEstimated,
    long backgroundErrors,
    List<Long> levelFiles,
    boolean writesStopped,
    Counts counts) {
  /** Levels of the tree; level 0 has the youngest tables. */
  public static final int LEVELS = 7;

  /** Statistics of nothing. */
  public static final EngineStats NONE =
      new EngineStats(
          0,
          0,
          0,
          0,
          new Blobs(0, 0, 0),
          0,
          0,
          0,
          0,
          IntStream.range(0, LEVELS).mapToObj(level -> 0L).toList(),
          false,
          new Counts(0, 0, 0, 0, 0, 0, 0, 0));

  /**
   * Blob files.
   *
   * @param bytes their size
   * @param garbageBytes bytes in them that compactions found overwritten or removed
   */
  public record Blobs(long files, long bytes, long garbageBytes) {}

  /**
   * RocksDB's counters since the store was opened.
   *
   * @param blobFlushedBytes bytes of records written to blob files for the first time
   * @param blobMovedBytes bytes of records that compactions moved out of blob files
   * @param stalledMicros microseconds in which flushes and compactions stalled writes
   */
  public record Counts(
      long cacheHits,
      long cacheMisses,
      long flushedBytes,
      long compactionReadBytes,
      long compactionWrittenBytes,
      long blobFlushedBytes,
      long blobMovedBytes,
      long stalledMicros) {}

  /** Bytes of tables, blob files and logs. */
  public long dataBytes() {
    return tableBytes + blobs.bytes() + logBytes;
  }

  /**
   * Bytes that may be garbage, of those in tables and blob files.
   *
   * @param spaceMax largest size of these files as a multiple of the live data in them
   */
  public long garbageBytesMax(double spaceMax) {
    return (long) ((tableBytes + blobs.bytes()) * (1 - 1 / spaceMax));
  }

  /** Reads the statistics; all zero after the gate has closed. */
  static EngineStats of(Engine engine, Gate gate, FailureLog failures) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return NONE;
    }
    try {
      return engine.stats();
    } catch (EngineException | IOException | UncheckedIOException e) {
      failures.note("cannot read the database's statistics", e);
      return NONE;
    } finally {
      gate.leave(ticket);
    }
  }
}
