/**
 * The store's own logic above a key-value engine: group commit, version checks, reads, scans, hints
 * and marks.
 *
 * <p>Read {@link dev.kvorum.storage.engine.RecordStore}, the store; {@code Engine} and {@code
 * EngineBatch}, the interface to the database; {@code GroupCommit} and {@code CommitBatch}, the
 * only writer; {@code RecordBatch}, the version checks; {@code RecordReads} and {@code RecordScan};
 * {@code VersionCache}, the versions in memory; {@code RecordCodec}, the record format on disk.
 *
 * <p>Imports {@code data}, {@code settings}, {@code storage}, {@code topology}, hash4j, JCTools
 * and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.storage.engine;

import org.jspecify.annotations.NullMarked;
