package dev.kvorum.storage.engine;

/** What a store's last writes and its background work show about the next writes. */
public enum StoreHealth {
  WORKS,

  /** The last batch, or the last fsync after it, failed. RocksDB may recover by itself. */
  FAILS,

  /** An I/O error: RocksDB rejects all writes until the store is opened again. */
  STOPPED,

  /** All writes are rejected until the process is restarted. */
  BROKEN
}
