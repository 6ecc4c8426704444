/**
 * Interfaces of a node's stores, and their results.
 *
 * <p>Read {@link dev.kvorum.storage.Store} (records), {@link dev.kvorum.storage.HintStore} (hints)
 * and {@link dev.kvorum.storage.MarkStore} (named numbers). {@code engine} implements them above a
 * key-value engine; {@code rocks} provides RocksDB as that engine.
 *
 * <p>Imports {@code data} and {@code topology}.
 */
@NullMarked
package dev.kvorum.storage;

import org.jspecify.annotations.NullMarked;
