package dev.kvorum.storage;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few numbers of a store that outlive it: without them versions could go back, and writes that
 * were deleted long ago could come in again.
 *
 * @param clockReserved how far ahead the clock may have gone, Unix milliseconds; 0: not known
 * @param removedUpTo the newest stamp of all that was removed; 0: none, or not known
 */
record Keepsakes(long clockReserved, long removedUpTo) {
  private static final Logger LOGGER = LoggerFactory.getLogger(Keepsakes.class);

  /** What a store remembers, also once it is closed. */
  static Keepsakes of(RocksStore store) {
    return new Keepsakes(store.marks().mark(MarkStore.CLOCK_RESERVED), store.removedUpTo());
  }

  /** What can still be read of a store that cannot be opened. Changes nothing there. Blocks. */
  static Keepsakes salvaged(RocksSettings settings) {
    RocksDB.loadLibrary();
    try (RocksOptions options = new RocksOptions(settings)) {
      // Whatever lies before the damage.
      options.database().setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
      List<ColumnFamilyDescriptor> families =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.meta()),
              new ColumnFamilyDescriptor(RocksDatabase.META.clone(), options.meta()));
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      String directory = settings.directory().toString();
      try (RocksDB db =
          RocksDB.openReadOnly(options.database(), directory, families, handles, false)) {
        return new Keepsakes(
            number(db, handles.get(1), RocksMarks.key(MarkStore.CLOCK_RESERVED)),
            number(db, handles.get(1), Removals.KEY));
      }
    } catch (RocksDBException | CorruptRecordException e) {
      LOGGER.warn(
          "The marks of the damaged store cannot be read either; the clock goes by wall time: {}",
          e.getMessage());
      return new Keepsakes(0, 0);
    }
  }

  private static long number(RocksDB db, ColumnFamilyHandle meta, byte[] key)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = db.get(meta, key);
    return stored == null ? 0 : MetaNumber.decode(stored, "a mark");
  }

  /** Puts them into a new store, durably, and with them that it took another one's place. */
  void leaveIn(RocksDatabase fresh) throws RocksDBException {
    try (WriteBatch batch = new WriteBatch();
        WriteOptions synced = new WriteOptions().setSync(true)) {
      put(fresh, batch, RocksMarks.key(MarkStore.SET_ASIDE), 1);
      put(fresh, batch, RocksMarks.key(MarkStore.CLOCK_RESERVED), clockReserved);
      put(fresh, batch, Removals.KEY, removedUpTo);
      // Only what passes the ceiling is written unread, and so without regard to removals.
      put(fresh, batch, NewestStamps.KEY, removedUpTo);
      fresh.db().write(synced, batch);
    }
  }

  private static void put(RocksDatabase fresh, WriteBatch batch, byte[] key, long number)
      throws RocksDBException {
    batch.put(fresh.meta(), key, MetaNumber.encode(number));
  }
}
