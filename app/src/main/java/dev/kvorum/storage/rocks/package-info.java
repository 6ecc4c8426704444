/**
 * RocksDB as a store's engine, its recovery after a crash, and the files of corrupted stores.
 *
 * <p>Read {@link dev.kvorum.storage.rocks.RocksStoreDisk}, the stores on a node's disk; {@code
 * RocksEngine} and {@code RocksDatabase}; {@code WalCheck} with {@code SyncedSequence} and {@code
 * LogGap}, which decides whether a torn log is corruption (ADR 0016); {@code SetAsideDirectory},
 * {@code CorruptedStore} and {@code CorruptedFiles}, which read what is left of a corrupted store.
 *
 * <p>Imports {@code data}, {@code files}, {@code storage}, {@code storage.engine}, {@code
 * storage.replace} and RocksDB.
 */
@NullMarked
package dev.kvorum.storage.rocks;

import org.jspecify.annotations.NullMarked;
