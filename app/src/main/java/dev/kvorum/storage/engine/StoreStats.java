package dev.kvorum.storage.engine;

/**
 * A store's state at a moment, for gauges and counters.
 *
 * @param queuedWrites operations waiting for the writer thread
 * @param queuedWriteBytes keys and values that wait or are being written
 * @param queuedReads reads waiting for a thread of the disk pool
 * @param queuedScans scans waiting for a thread of theirs
 * @param memoryReads reads answered from memory since the store was opened
 * @param diskReads reads handed to the disk pool since then
 * @param readFailures reads that failed since then
 * @param writeFailures operations or batches that failed since then
 * @param hintsDropped hints that were not kept since then
 * @param diskFreeBytes free space as last sampled
 * @param database RocksDB's own figures
 */
public record StoreStats(
    int queuedWrites,
    long queuedWriteBytes,
    int queuedReads,
    int queuedScans,
    long memoryReads,
    long diskReads,
    long readFailures,
    long writeFailures,
    long hintsDropped,
    long diskFreeBytes,
    EngineStats database) {}
