package dev.kvorum.storage.engine;

import dev.kvorum.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Every bound of the store.
 *
 * @param directory where everything is kept; made when it is not there
 * @param durability when a write is acknowledged
 * @param syncInterval longest time that something acknowledged without an fsync, such as a hint or
 *     a write under {@link Durability#ASYNC}, waits for one
 * @param closeTimeout longest wait of a close for writes that are queued and reads under way
 * @param memoryBytes block cache, with indexes, filters and write buffers inside it; RocksDB's
 *     other memory comes to some tens of mebibytes
 * @param walBytesMax size of the write-ahead logs at which write buffers are flushed: bounds the
 *     replay at a start
 * @param openFilesMax table files held open
 * @param compactionBytesPerSecondMax disk rate of flushes and compactions, so that an fsync does
 *     not wait behind them
 * @param diskFreeMinBytes free space under which puts are refused; compactions need some of it
 * @param hintBytesMax bytes of all hints, keys included
 * @param reads bounds of the reads that need the disk
 * @param scans bounds of the scans, which have threads of their own so that reads need not wait
 *     behind them
 * @param writes bounds of the write queue and of one batch
 * @param reclaim when the space of removed records is reclaimed
 */
public record StoreSettings(
    Path directory,
    Durability durability,
    Duration syncInterval,
    Duration closeTimeout,
    long memoryBytes,
    long walBytesMax,
    int openFilesMax,
    long compactionBytesPerSecondMax,
    long diskFreeMinBytes,
    long hintBytesMax,
    ReadLimits reads,
    ReadLimits scans,
    WriteLimits writes,
    Reclaim reclaim) {
  private static final long MIB = 1 << 20;

  /**
   * Bounds of a kind of reads that need the disk.
   *
   * @param threads how many are done at a time
   * @param queueMax how many wait
   */
  public record ReadLimits(int threads, int queueMax) {
    public ReadLimits {
      requireWithin("threads", threads, 1, 256);
      requireWithin("queueMax", queueMax, 1, 1 << 20);
    }
  }

  /**
   * When the space of removed records is reclaimed.
   *
   * @param share entombed and removed records, as a share of all, that start a compaction
   * @param recordsMin fewest of them that do
   * @param interval how often they are counted
   */
  public record Reclaim(double share, long recordsMin, Duration interval) {
    public Reclaim {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("reclaim.share is over 0 and up to 1, not " + share);
      }
      requireWithin("reclaim.recordsMin", recordsMin, 1, Long.MAX_VALUE);
      requireWithin("reclaim.interval in milliseconds", interval.toMillis(), 1, 86_400_000);
    }
  }

  /**
   * Bounds of the write queue and of one batch.
   *
   * @param queueMax writes that wait, at least; rounded up to a power of two
   * @param queueBytesMax keys and values that wait or are being written
   * @param batchWritesMax writes that share an fsync
   * @param batchBytesMax keys and values at which a batch is closed
   */
  public record WriteLimits(
      int queueMax, long queueBytesMax, int batchWritesMax, long batchBytesMax) {
    public WriteLimits {
      requireWithin("writes.queueMax", queueMax, 2, 1 << 20);
      requireWithin("writes.queueBytesMax", queueBytesMax, 1, 1 << 30);
      requireWithin("writes.batchWritesMax", batchWritesMax, 1, 1 << 16);
      requireWithin("writes.batchBytesMax", batchBytesMax, 1, 1 << 28);
    }
  }

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException naming the setting that is out of its range
   */
  public StoreSettings {
    requireWithin("syncInterval in milliseconds", syncInterval.toMillis(), 1, 60_000);
    requireWithin("closeTimeout in milliseconds", closeTimeout.toMillis(), 1, 600_000);
    requireWithin("memoryBytes", memoryBytes, 8 * MIB, 1L << 40);
    requireWithin("walBytesMax", walBytesMax, MIB, 1L << 34);
    requireWithin("openFilesMax", openFilesMax, 32, 1 << 20);
    requireWithin("compactionBytesPerSecondMax", compactionBytesPerSecondMax, MIB, 1L << 36);
    requireWithin("diskFreeMinBytes", diskFreeMinBytes, 0, 1L << 50);
    requireWithin("hintBytesMax", hintBytesMax, 0, 1L << 40);
  }

  /** The same for a corrupted store in another directory, of which little is kept in memory. */
  public StoreSettings salvagedIn(Path other) {
    return in(other, 8 * MIB);
  }

  /** The same for another directory. */
  public StoreSettings in(Path other) {
    return in(other, memoryBytes);
  }

  private StoreSettings in(Path other, long memory) {
    return new StoreSettings(
        other,
        durability,
        syncInterval,
        closeTimeout,
        memory,
        walBytesMax,
        openFilesMax,
        compactionBytesPerSecondMax,
        diskFreeMinBytes,
        hintBytesMax,
        reads,
        scans,
        writes,
        reclaim);
  }

  /** Settings for a small node: a heap of 128 MiB, resident under 450 MiB. */
  public static StoreSettings defaults(Path directory) {
    return new StoreSettings(
        directory,
        Durability.SYNC,
        Duration.ofMillis(100),
        Duration.ofSeconds(5),
        128 * MIB,
        64 * MIB,
        512,
        64 * MIB,
        256 * MIB,
        256 * MIB,
        new ReadLimits(4, 1024),
        new ReadLimits(1, 64),
        new WriteLimits(8192, 16 * MIB, 1024, 4 * MIB),
        new Reclaim(0.1, 1000, Duration.ofMinutes(1)));
  }

  private static void requireWithin(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
    }
  }
}
