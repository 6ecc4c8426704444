package dev.kvorum.storage.engine;

/**
 * A store's state at one moment, for gauges and counters.
 *
 * @param queuedWrites operations waiting for the writer thread
 * @param queuedWriteBytes bytes of keys and values that wait or are being written
 * @param queuedReads reads waiting for a thread of the disk pool
 * @param queuedScans scans waiting for a thread of their pool
 * @param memoryReads reads served from memory since the store was opened
 * @param diskReads reads passed to the disk pool since then
 * @param versionHits versions found in the version cache since then
 * @param versionMisses versions looked up in the database since then
 * @param readFailures reads that failed since then
 * @param writeFailures operations or batches that failed since then
 * @param hintsDropped hints that were dropped since then
 * @param diskFreeBytes free bytes of the disk as last sampled
 * @param database RocksDB's own statistics
 */
public record StoreStats(
    int queuedWrites,
    long queuedWriteBytes,
    int queuedReads,
    int queuedScans,
    long memoryReads,
    long diskReads,
    long versionHits,
    long versionMisses,
    long readFailures,
    long writeFailures,
    long hintsDropped,
    long diskFreeBytes,
    EngineStats database) {}
