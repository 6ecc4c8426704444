package dev.kvorum.storage.engine;

import dev.kvorum.settings.Bounds;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.OnCorruption;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.storage.*}: the store on disk.
 *
 * @param durability when a write is acknowledged: {@code sync} or {@code async}
 * @param syncInterval longest wait for an fsync of hints, and of writes under {@link
 *     Durability#ASYNC}, 1 ms to 60 s
 * @param memory block cache, with indexes, filters and write buffers, and version cache, 8 MB to 1
 *     TB; RocksDB needs some tens of MiB more
 * @param versionCacheShare share of {@code memory} for the version cache, 0 (none) to 0.5; 21 bytes
 *     for each record
 * @param walMax size of write-ahead logs at which write buffers are flushed, 1 MB to 16 GB
 * @param writeBuffer size at which a write buffer is flushed to a table, 64 KB to 16 GB; 0: an
 *     eighth of {@code memory}
 * @param openFilesMax table and blob files held open, 32 to 1048576
 * @param blobMin length from which a record is stored in a blob file, 64 B to 1 GB; 0: none
 * @param blobFile size of a blob file, 1 MB to 1 GB
 * @param blobSpaceMax size of tables and blob files, as a multiple of their live data, above which
 *     garbage is collected at full speed, 1.1 to 10
 * @param directIo whether flushes and compactions bypass the page cache, {@code on} or {@code off}
 * @param backgroundJobs flushes and compactions at a time, up to 64; 0: one for each processor, 2
 *     to 8, with blob files 4 to 8
 * @param compactionRateMax bytes per second that flushes and compactions write, 1 MB to 64 GB; 0:
 *     64 MB, with blob files 96 MB
 * @param delayedWriteRate bytes per second of writes, 64 KB to 64 GB, when compactions fall behind
 * @param diskFreeMin free space under which PUT is rejected with 507, up to 1 PB
 * @param readThreads reads from disk at a time, 1 to 256
 * @param readQueueMax reads that wait for such a thread, 1 to 1048576
 * @param scanThreads scans of ranges at a time, 1 to 256
 * @param scanQueueMax scans that wait for such a thread, 1 to 1048576
 * @param writeQueueMax writes that wait for the writer, 2 to 1048576
 * @param writeQueueBytesMax their bytes, 1 B to 1 GB
 * @param batchWritesMax writes that share an fsync, 1 to 65536
 * @param batchBytesMax their bytes, 1 B to 256 MB
 * @param reclaimShare share of removed and expired records at which a compaction reclaims their
 *     space; more than 0 and up to 1
 * @param reclaimInterval interval at which they and garbage are counted, 1 ms to 1 day
 * @param onCorruption {@code rebuild}: a corrupted store is set aside and rebuilt from the peers,
 *     if any; {@code fail}: it is not opened
 */
public record StorageSettings(
    @DefaultValue("sync") String durability,
    @DefaultValue("100ms") Duration syncInterval,
    @DefaultValue("160MB") DataSize memory,
    @DefaultValue("0.1") double versionCacheShare,
    @DefaultValue("64MB") DataSize walMax,
    @DefaultValue("0") DataSize writeBuffer,
    @DefaultValue("4096") int openFilesMax,
    @DefaultValue("1KB") DataSize blobMin,
    @DefaultValue("32MB") DataSize blobFile,
    @DefaultValue("1.6") double blobSpaceMax,
    @DefaultValue("off") String directIo,
    @DefaultValue("0") int backgroundJobs,
    @DefaultValue("0") DataSize compactionRateMax,
    @DefaultValue("64MB") DataSize delayedWriteRate,
    @DefaultValue("256MB") DataSize diskFreeMin,
    @DefaultValue("4") int readThreads,
    @DefaultValue("4096") int readQueueMax,
    @DefaultValue("1") int scanThreads,
    @DefaultValue("64") int scanQueueMax,
    @DefaultValue("8192") int writeQueueMax,
    @DefaultValue("16MB") DataSize writeQueueBytesMax,
    @DefaultValue("1024") int batchWritesMax,
    @DefaultValue("4MB") DataSize batchBytesMax,
    @DefaultValue("0.1") double reclaimShare,
    @DefaultValue("10s") Duration reclaimInterval,
    @DefaultValue("rebuild") String onCorruption) {
  public StorageSettings {
    long syncMillis = syncInterval.toMillis();
    Bounds.between("kvorum.storage.sync-interval in milliseconds", syncMillis, 1, 60_000);
    Bounds.between("kvorum.storage.open-files-max", openFilesMax, 32, 1 << 20);
    Bounds.between("kvorum.storage.read-threads", readThreads, 1, 256);
    Bounds.between("kvorum.storage.read-queue-max", readQueueMax, 1, 1 << 20);
    Bounds.between("kvorum.storage.scan-threads", scanThreads, 1, 256);
    Bounds.between("kvorum.storage.scan-queue-max", scanQueueMax, 1, 1 << 20);
    Bounds.positive("kvorum.storage.reclaim-interval", reclaimInterval);
    long reclaimMillis = reclaimInterval.toMillis();
    Bounds.between("kvorum.storage.reclaim-interval in milliseconds", reclaimMillis, 1, 86_400_000);
    if (!(reclaimShare > 0 && reclaimShare <= 1)) {
      throw new IllegalArgumentException(
          "kvorum.storage.reclaim-share is "
              + reclaimShare
              + "; it must be more than 0 and up to 1");
    }
    Bounds.between("kvorum.storage.write-queue-max", writeQueueMax, 2, 1 << 20);
    Bounds.between("kvorum.storage.batch-writes-max", batchWritesMax, 1, 1 << 16);
    Bounds.bytes("kvorum.storage.memory", memory.toBytes(), 8 << 20, 1L << 40);
    if (!(versionCacheShare >= 0 && versionCacheShare <= 0.5)) {
      throw new IllegalArgumentException(
          "kvorum.storage.version-cache-share is "
              + versionCacheShare
              + "; it must be 0 to 0.5, 0 for none");
    }
    Bounds.bytes("kvorum.storage.wal-max", walMax.toBytes(), 1 << 20, 1L << 34);
    bytesUnlessZero("kvorum.storage.write-buffer", writeBuffer, 64 << 10, 1L << 34);
    bytesUnlessZero("kvorum.storage.blob-min", blobMin, 64, 1 << 30);
    Bounds.bytes("kvorum.storage.blob-file", blobFile.toBytes(), 1 << 20, 1 << 30);
    if (!(blobSpaceMax >= 1.1 && blobSpaceMax <= 10)) {
      throw new IllegalArgumentException(
          "kvorum.storage.blob-space-max is " + blobSpaceMax + "; it must be 1.1 to 10");
    }
    Bounds.between("kvorum.storage.background-jobs", backgroundJobs, 0, 64);
    bytesUnlessZero("kvorum.storage.compaction-rate-max", compactionRateMax, 1 << 20, 1L << 36);
    Bounds.bytes(
        "kvorum.storage.delayed-write-rate", delayedWriteRate.toBytes(), 64 << 10, 1L << 36);
    Bounds.bytes("kvorum.storage.disk-free-min", diskFreeMin.toBytes(), 0, 1L << 50);
    Bounds.bytes("kvorum.storage.write-queue-bytes-max", writeQueueBytesMax.toBytes(), 1, 1 << 30);
    Bounds.bytes("kvorum.storage.batch-bytes-max", batchBytesMax.toBytes(), 1, 1 << 28);
  }

  private static void bytesUnlessZero(String name, DataSize size, long min, long max) {
    if (size.toBytes() != 0) {
      Bounds.bytes(name, size.toBytes(), min, max);
    }
  }

  /**
   * What {@code durability} names.
   *
   * @throws IllegalArgumentException when it names nothing
   */
  Durability durabilityMode() {
    return switch (durability.toLowerCase(Locale.ROOT)) {
      case "sync" -> Durability.SYNC;
      case "async" -> Durability.ASYNC;
      default ->
          throw new IllegalArgumentException(
              "kvorum.storage.durability is '" + durability + "'; it must be sync or async");
    };
  }

  /**
   * What {@code onCorruption} names.
   *
   * @throws IllegalArgumentException when it names nothing
   */
  public OnCorruption corruptionPolicy() {
    return switch (onCorruption.toLowerCase(Locale.ROOT)) {
      case "rebuild" -> OnCorruption.REBUILD;
      case "fail" -> OnCorruption.FAIL;
      default ->
          throw new IllegalArgumentException(
              "kvorum.storage.on-corruption is '" + onCorruption + "'; it must be rebuild or fail");
    };
  }

  /** {@code walMax} in bytes. */
  public long walBytesMax() {
    return walMax.toBytes();
  }

  /**
   * Whether {@code directIo} is on.
   *
   * @throws IllegalArgumentException when it is neither on nor off
   */
  public boolean usesDirectIo() {
    return switch (directIo.toLowerCase(Locale.ROOT)) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "kvorum.storage.direct-io is '" + directIo + "'; it must be on or off");
    };
  }

  /** {@code writeBuffer} in bytes, or 0. */
  public long writeBufferBytes() {
    return writeBuffer.toBytes();
  }

  /** {@code blobMin} in bytes, or 0. */
  public long blobMinBytes() {
    return blobMin.toBytes();
  }

  /** Returns whether large records are stored in blob files. */
  public boolean storesBlobs() {
    return blobMinBytes() > 0;
  }

  /** {@code blobFile} in bytes. */
  public long blobFileBytes() {
    return blobFile.toBytes();
  }

  /** {@code compactionRateMax} in bytes per second, or 0. */
  public long compactionBytesPerSecondMax() {
    return compactionRateMax.toBytes();
  }

  /** {@code delayedWriteRate} in bytes per second. */
  public long delayedBytesPerSecond() {
    return delayedWriteRate.toBytes();
  }

  /** {@code writeQueueBytesMax} in bytes. */
  long queuedBytesMax() {
    return writeQueueBytesMax.toBytes();
  }

  /** {@code batchBytesMax} in bytes. */
  long batchedBytesMax() {
    return batchBytesMax.toBytes();
  }

  /** {@code diskFreeMin} in bytes. */
  public long diskFreeMinBytes() {
    return diskFreeMin.toBytes();
  }
}
