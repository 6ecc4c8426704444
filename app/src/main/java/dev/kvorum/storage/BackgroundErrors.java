package dev.kvorum.storage;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * What goes wrong in flushes and compactions, which nobody waits for: RocksDB counts it and, where
 * it is damage, takes no more writes.
 */
final class BackgroundErrors {
  private final RocksDatabase database;
  private final FailureLog failures;
  private long seen;

  BackgroundErrors(RocksDatabase database, FailureLog failures) {
    this.database = database;
    this.failures = failures;
  }

  /** Looks for errors that are new since the last look. Blocks; for one thread. */
  void look() {
    try (WriteOptions unsynced = new WriteOptions();
        WriteBatch nothing = new WriteBatch()) {
      long count = database.db().getLongProperty("rocksdb.background-errors");
      if (count != seen) {
        seen = count;
        // The count does not say what it was; a write of nothing is refused with the reason.
        database.db().write(unsynced, nothing);
      }
    } catch (RocksDBException e) {
      failures.note("a flush or compaction failed", e);
    }
  }
}
