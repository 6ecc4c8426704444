package dev.kvorum.storage.engine;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import java.util.function.LongSupplier;

/**
 * What watches a store.
 *
 * @param commits receives measurements of each batch
 * @param freeBytes the disk's free bytes, or a negative number if unknown
 * @param verifier counts records and hints that do not match their checksums
 */
public record StoreProbes(
    CommitListener commits, LongSupplier freeBytes, ChecksumVerifier verifier) {}
