package dev.kvorum.storage.engine;

import dev.kvorum.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * All limits of the store.
 *
 * @param directory directory of the store; created if it does not exist
 * @param durability when a write is acknowledged
 * @param syncInterval longest time until an fsync for data acknowledged without one, such as a hint
 *     or a write under {@link Durability#ASYNC}
 * @param closeTimeout longest wait of a close for queued writes and reads in progress
 * @param memoryBytes size of the block cache, which includes indexes, filters and write buffers;
 *     RocksDB uses some tens of mebibytes besides
 * @param walBytesMax size of the write-ahead logs at which write buffers are flushed; bounds the
 *     replay at a start
 * @param openFilesMax number of table files kept open
 * @param compactionBytesPerSecondMax disk rate of flushes and compactions, so that an fsync does
 *     not wait behind them
 * @param diskFreeMinBytes free space below which puts are rejected; compactions need some of it
 * @param hintBytesMax size of all hints in bytes, including keys
 * @param reads limits of the reads that need the disk
 * @param scans limits of the scans, which have threads of their own so that reads need not wait
 *     behind them
 * @param writes limits of the write queue and of one batch
 * @param reclaim when the space of removed records is reclaimed
 */
public record StoreSettings(
    Path directory,
    Durability durability,
    Duration closeTimeout,
    long memoryBytes,
    long hintBytesMax,
    StorageSettings storage) {
  private static final long SALVAGE_MEMORY_BYTES = 8 << 20;

  /**
   * The settings of the store in a directory.
   *
   * @throws IllegalArgumentException naming the setting that is wrong
   */
  public static StoreSettings of(
      Path directory, StorageSettings storage, long hintBytesMax, Duration closeTimeout) {
    return new StoreSettings(
        directory,
        storage.durabilityMode(),
        closeTimeout,
        storage.memory().toBytes(),
        hintBytesMax,
        storage);
  }

  /** The same settings for a corrupted store in another directory, with little memory. */
  public StoreSettings salvagedIn(Path other) {
    return in(other, SALVAGE_MEMORY_BYTES);
  }

  /** The same settings for another directory. */
  public StoreSettings in(Path other) {
    return in(other, memoryBytes);
  }

  private StoreSettings in(Path other, long memory) {
    return new StoreSettings(other, durability, closeTimeout, memory, hintBytesMax, storage);
  }
}
