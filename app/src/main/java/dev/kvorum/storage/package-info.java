/**
 * What one node keeps on its disk.
 *
 * <p>Read {@link dev.kvorum.storage.Store}, the door for records, and {@link
 * dev.kvorum.storage.HintStore}, the door for hints; then {@code RocksStore} behind both, {@code
 * GroupCommit}, through which every write goes, and {@code RecordCodec}, the layout on disk.
 *
 * <p>Imports {@code data}, {@code topology}, {@code metrics} and, alone in this node, RocksDB.
 */
@NullMarked
package dev.kvorum.storage;

import org.jspecify.annotations.NullMarked;
