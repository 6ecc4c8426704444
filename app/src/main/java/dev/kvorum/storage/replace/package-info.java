/**
 * A node's store, which is replaced when its files are corrupted and opened again after an I/O
 * error, while the node runs (ADR 0023).
 *
 * <p>Read {@link dev.kvorum.storage.replace.ReplaceableStore}, the store; {@code StoreReplacement},
 * the steps, and {@code StoreDisk}, the interface to the disk; {@code CorruptedStores} and {@code
 * SalvageReader}, which read what was set aside; {@code IoErrorRecovery}, which opens a store
 * again.
 *
 * <p>Imports {@code data}, {@code storage} and {@code storage.engine}.
 */
@NullMarked
package dev.kvorum.storage.replace;

import org.jspecify.annotations.NullMarked;
