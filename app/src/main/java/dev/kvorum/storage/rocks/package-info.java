/**
 * RocksDB as a store's engine, its recovery after a crash, and corrupted stores.
 *
 * <p>Read {@link dev.kvorum.storage.rocks.ReplaceableStore}, a node's store, which is replaced when
 * its files are corrupted; {@code RocksEngine} and {@code RocksDatabase}; {@code WalCheck} with
 * {@code SyncedSequence} and {@code LogGap}, which decides whether a torn log is corruption (ADR
 * 0016); {@code CorruptedStore} and {@code Salvaged} records; {@code IoErrorRecovery}, which opens
 * a store again (ADR 0023).
 *
 * <p>Imports {@code data}, {@code files}, {@code storage}, {@code storage.engine} and RocksDB.
 */
@NullMarked
package dev.kvorum.storage.rocks;

import org.jspecify.annotations.NullMarked;
