/**
 * A node's store, which is replaced when its files are corrupted and opened again after an I/O
 * error, while the node runs (ADR 0023).
 *
 * <p>Read {@link dev.kvorum.storage.replace.ReplaceableStore}, the store; {@code StoreReplacement},
 * the steps; {@code StoreDisk}, the interface to the disk, and {@code RocksStoreDisk}, the stores
 * on a node's disk; {@code IoErrorRecovery}, which opens a store again.
 *
 * <p>Imports {@code files}, {@code storage}, {@code storage.engine}, {@code storage.rocks} and
 * {@code storage.salvage}.
 */
@NullMarked
package dev.kvorum.storage.replace;

import org.jspecify.annotations.NullMarked;
