package dev.kvorum.storage.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;

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
public record EngineStats(
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

  private static final EngineStats NONE =
      new EngineStats(
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
      long stalledMicros) {}

  /** Reads them; all zero behind a closed gate. */
  static EngineStats of(Engine engine, Gate gate, FailureLog failures) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return NONE;
    }
    try {
      return engine.stats();
    } catch (EngineException | IOException | UncheckedIOException e) {
      failures.note("cannot read the database's figures", e);
      return NONE;
    } finally {
      gate.leave(ticket);
    }
  }
}
