/**
 * RocksDB as a store's engine, and its recovery after a crash.
 *
 * <p>Read {@link dev.kvorum.storage.rocks.RocksStore}, which opens a store; {@code RocksEngine} and
 * {@code RocksDatabase}; {@code WalCheck} with {@code SyncedSequence} and {@code LogGap}, which
 * decides whether a torn log is corruption (ADR 0016).
 *
 * <p>Imports {@code data}, {@code files}, {@code storage.engine} and RocksDB.
 */
@NullMarked
package dev.kvorum.storage.rocks;

import org.jspecify.annotations.NullMarked;
