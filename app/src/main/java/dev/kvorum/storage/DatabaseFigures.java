package dev.kvorum.storage;

import org.rocksdb.RocksDBException;

/** RocksDB's own figures that {@link StoreStats} reports. */
record DatabaseFigures(
    long cacheBytes,
    long writeBufferBytes,
    long tableBytes,
    long compactionPendingBytes,
    long recordsEstimated,
    boolean writesStopped) {
  static final DatabaseFigures NONE = new DatabaseFigures(0, 0, 0, 0, 0, false);

  /** Reads them; all zero behind a closed gate. */
  static DatabaseFigures of(RocksDatabase database, Gate gate, FailureLog failures) {
    long ticket = gate.enter();
    if (ticket == 0) {
      return NONE;
    }
    try {
      return of(database);
    } catch (RocksDBException e) {
      failures.note("cannot read the database's figures", e);
      return NONE;
    } finally {
      gate.leave(ticket);
    }
  }

  private static DatabaseFigures of(RocksDatabase database) throws RocksDBException {
    return new DatabaseFigures(
        database.cacheBytes(),
        ofAllFamilies(database, "rocksdb.cur-size-all-mem-tables"),
        ofAllFamilies(database, "rocksdb.total-sst-files-size"),
        ofAllFamilies(database, "rocksdb.estimate-pending-compaction-bytes"),
        database.db().getLongProperty(database.records(), "rocksdb.estimate-num-keys"),
        database.db().getLongProperty("rocksdb.is-write-stopped") != 0);
  }

  private static long ofAllFamilies(RocksDatabase database, String property)
      throws RocksDBException {
    return database.db().getAggregatedLongProperty(property);
  }
}
