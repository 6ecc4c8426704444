/**
 * What one node keeps on its disk.
 *
 * <p>Read {@link dev.kvorum.storage.Store}, the door for records, and {@link
 * dev.kvorum.storage.HintStore}, the door for hints; then {@link dev.kvorum.storage.RocksStore}
 * behind both. Its writes go through {@code GroupCommit} and {@code CommitBatch}, its reads through
 * {@code RecordReads} and {@code RecordScan}, where these need the disk on a {@code DiskPool};
 * {@code Reclaimer} gives space back. {@link dev.kvorum.storage.ReplaceableStore} is the store of a
 * node that puts a damaged one aside. {@code RecordCodec} and {@code HintKey} are the layout on
 * disk, {@code RocksDatabase} and {@code RocksOptions} what is native, behind a {@code Gate}.
 *
 * <p>Imports {@code data}, {@code topology}, {@code metrics} and, alone in this node, RocksDB.
 */
@NullMarked
package dev.kvorum.storage;

import org.jspecify.annotations.NullMarked;
