package dev.kvorum.storage;

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
 * @param writes bounds of the write queue and of one batch
 */
public record RocksSettings(
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
    WriteLimits writes) {
  private static final long MIB = 1 << 20;

  /**
   * Bounds of the reads that need the disk.
   *
   * @param threads how many read at a time
   * @param queueMax how many wait
   */
  public record ReadLimits(int threads, int queueMax) {
    public ReadLimits {
      requireWithin("reads.threads", threads, 1, 256);
      requireWithin("reads.queueMax", queueMax, 1, 1 << 20);
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
  public RocksSettings {
    requireWithin("syncInterval in milliseconds", syncInterval.toMillis(), 1, 60_000);
    requireWithin("closeTimeout in milliseconds", closeTimeout.toMillis(), 1, 600_000);
    requireWithin("memoryBytes", memoryBytes, 8 * MIB, 1L << 40);
    requireWithin("walBytesMax", walBytesMax, MIB, 1L << 34);
    requireWithin("openFilesMax", openFilesMax, 32, 1 << 20);
    requireWithin("compactionBytesPerSecondMax", compactionBytesPerSecondMax, MIB, 1L << 36);
    requireWithin("diskFreeMinBytes", diskFreeMinBytes, 0, 1L << 50);
    requireWithin("hintBytesMax", hintBytesMax, 0, 1L << 40);
  }

  /** Settings for a small node: a heap of 128 MiB, resident under 450 MiB. */
  public static RocksSettings defaults(Path directory) {
    return new RocksSettings(
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
        new WriteLimits(8192, 16 * MIB, 1024, 4 * MIB));
  }

  private static void requireWithin(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " is " + min + " to " + max + ", not " + value);
    }
  }
}
