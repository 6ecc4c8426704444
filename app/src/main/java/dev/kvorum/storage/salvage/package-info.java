/**
 * Corrupted stores that were set aside: what can still be read of them, and what is kept of them
 * until that is stored again (ADR 0023).
 *
 * <p>Read {@link dev.kvorum.storage.salvage.CorruptedStores}, all of a node; {@code SalvageReader}
 * and {@code SetAsideStore}, one of them; {@code SetAsideDirectory}, its files; {@code
 * CorruptedStore}, which reads them in the order of keys, and {@code CorruptedFiles}, which reads
 * them one by one if their catalogue is unreadable.
 *
 * <p>Imports {@code data}, {@code files}, {@code storage}, {@code storage.engine}, {@code
 * storage.rocks} and RocksDB.
 */
@NullMarked
package dev.kvorum.storage.salvage;

import org.jspecify.annotations.NullMarked;
