package dev.kvorum.storage.engine;

import dev.kvorum.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of one store.
 *
 * @param directory directory of all its files; created when absent
 * @param durability when a write is acknowledged
 * @param closeTimeout longest wait of a close for queued writes and reads in flight
 * @param memoryBytes size of block cache and version cache; see {@link StorageSettings#memory}
 * @param hintBytesMax bytes of all hints, keys included
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

  /** The same for a corrupted store in another directory, of which little is kept in memory. */
  public StoreSettings salvagedIn(Path other) {
    return in(other, SALVAGE_MEMORY_BYTES);
  }

  /** The same for another directory. */
  public StoreSettings in(Path other) {
    return in(other, memoryBytes);
  }

  /** The part of the memory for the versions of records. */
  public long versionCacheBytes() {
    return (long) (memoryBytes * storage.versionCacheShare());
  }

  /** The rest, for RocksDB's blocks and write buffers. */
  public long blockCacheBytes() {
    return memoryBytes - versionCacheBytes();
  }

  private StoreSettings in(Path other, long memory) {
    return new StoreSettings(other, durability, closeTimeout, memory, hintBytesMax, storage);
  }
}
