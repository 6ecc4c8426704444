package dev.kvorum.storage.salvage;

import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.engine.CorruptRecordException;
import dev.kvorum.storage.engine.MetaNumber;
import dev.kvorum.storage.engine.Purges;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.StoredMarks;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.RocksOptions;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Salvages the numbers of a store that cannot be opened. */
public final class StateSalvage {
  private static final Logger log = LoggerFactory.getLogger(StateSalvage.class);

  private StateSalvage() {}

  /**
   * Reads the numbers of a store that cannot be opened, as far as possible. Does not change the
   * store. Blocks.
   */
  public static PreservedState of(StoreSettings settings) {
    RocksDB.loadLibrary();
    try (RocksOptions options = new RocksOptions(settings)) {
      // Skip corrupted records and read all others.
      options.database().setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords);
      List<ColumnFamilyDescriptor> families =
          List.of(
              new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.meta()),
              new ColumnFamilyDescriptor(RocksDatabase.metaName(), options.meta()));
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      String directory = settings.directory().toString();
      try (RocksDB db =
          RocksDB.openReadOnly(options.database(), directory, families, handles, false)) {
        return new PreservedState(
            number(db, handles.get(1), StoredMarks.key(MarkStore.CLOCK_HIGH_WATER)),
            number(db, handles.get(1), Purges.KEY),
            number(db, handles.get(1), StoredMarks.key(MarkStore.RESET)));
      }
    } catch (RocksDBException | CorruptRecordException e) {
      log.warn(
          "The marks of the corrupted store cannot be read either; the clock starts at wall time:"
              + " {}",
          e.getMessage());
      return new PreservedState(0, 0, 0);
    }
  }

  private static long number(RocksDB db, ColumnFamilyHandle meta, byte[] key)
      throws RocksDBException, CorruptRecordException {
    byte[] stored = db.get(meta, key);
    return stored == null ? 0 : MetaNumber.decode(stored, "a mark");
  }
}
