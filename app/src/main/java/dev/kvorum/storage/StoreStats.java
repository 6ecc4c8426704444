package dev.kvorum.storage;

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
 * @param cacheBytes block cache in use, write buffers included
 * @param writeBufferBytes write buffers
 * @param tableBytes table files
 * @param compactionPendingBytes what compactions still have to rewrite, estimated
 * @param recordsEstimated number of records, estimated; tombstones count
 * @param writesStopped whether RocksDB holds writes back until a compaction is done
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
    long cacheBytes,
    long writeBufferBytes,
    long tableBytes,
    long compactionPendingBytes,
    long recordsEstimated,
    boolean writesStopped) {}
