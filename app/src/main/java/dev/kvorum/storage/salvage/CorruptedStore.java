package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.CorruptRecordException;
import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.RocksDatabase;
import dev.kvorum.storage.rocks.RocksOptions;
import dev.kvorum.storage.rocks.WalCheck;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WALRecoveryMode;

/**
 * Reads the readable records of a corrupted store without changing it. Where the merged view of all
 * tables is unreadable, it takes the keys from each table and blob file separately and looks them
 * up one by one. A corrupted block thus hides only its own records, and of these not the large
 * ones. Confined to one thread.
 */
final class CorruptedStore implements SalvageSource {
  /** Bytes of one table that are kept in memory at a time while a gap is filled. */
  private static final long GAP_BYTES_MAX = 1 << 20;

  private final StoreSettings settings;
  private final boolean isLogComplete;
  private final RocksOptions options;
  private final RocksDB db;
  private final ColumnFamilyHandle records;
  private final ReadOptions read = new ReadOptions().setVerifyChecksums(true).setFillCache(false);
  private final List<SalvageTable.Table> tables;
  private final TableKeys tableKeys;
  private final SalvageScan<RocksIterator> scan;
  private final Deque<Salvageable> found = new ArrayDeque<>();
  private final List<KeyRange> unreadable = new ArrayList<>();
  private @Nullable BlobFiles blobs;
  private @Nullable Gap gap;
  private boolean over;

  /** A gap of keys that the merged view cannot read; null bounds are open. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Gap(byte @Nullable [] from, byte @Nullable [] before) {}

  private CorruptedStore(
      StoreSettings settings,
      boolean isLogComplete,
      RocksOptions options,
      RocksDB db,
      ColumnFamilyHandle records,
      byte @Nullable [] start) {
    this.settings = settings;
    this.isLogComplete = isLogComplete;
    this.options = options;
    this.db = db;
    this.records = records;
    this.tables = SalvageTable.of(db, settings.directory());
    this.tableKeys = new TableKeys(tables);
    this.scan =
        new SalvageScan<>(
            () -> db.newIterator(records, read), RocksIterator::key, tableKeys, start, null);
    if (!isLogComplete) {
      // It is unknown which keys the missing part of the log contained.
      unreadable.add(KeyRange.ALL);
    }
  }

  /**
   * Opens a store for reading; no other process may use it.
   *
   * @param settings settings with the store's directory
   * @throws RocksDBException if its catalogue of tables is unreadable
   */
  static CorruptedStore open(StoreSettings settings) throws RocksDBException {
    return open(settings, WalCheck.isComplete(settings), null);
  }

  /**
   * Opens a store of which tables may have been deleted.
   *
   * @param isLogComplete whether all synced writes of its log are readable
   * @param start the first key to read; null: the store's first key
   */
  static CorruptedStore open(StoreSettings settings, boolean isLogComplete, byte @Nullable [] start)
      throws RocksDBException {
    RocksDB.loadLibrary();
    RocksOptions options = new RocksOptions(settings);
    options
        .database()
        .setWalRecoveryMode(WALRecoveryMode.SkipAnyCorruptedRecords)
        // One unreadable table must not prevent reading the others.
        .setParanoidChecks(false);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try {
      RocksDB db =
          RocksDB.openReadOnly(
              options.database(),
              settings.directory().toString(),
              List.of(
                  new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.meta()),
                  new ColumnFamilyDescriptor(RocksDatabase.recordsName(), options.records())),
              handles,
              false);
      return new CorruptedStore(settings, isLogComplete, options, db, handles.get(1), start);
    } catch (RocksDBException e) {
      options.close();
      throw e;
    }
  }

  @Override
  public Salvaged.Page next(ScanLimits limits) throws IOException {
    List<Salvageable> page = new ArrayList<>();
    long bytes = 0;
    while (page.size() < limits.recordsMax() && bytes < limits.bytesMax() && fill()) {
      Salvageable next = found.remove();
      bytes += next.mutation().heapBytes();
      page.add(next);
    }
    List<KeyRange> gaps = List.copyOf(unreadable);
    unreadable.clear();
    return new Salvaged.Page(page, gaps, found.isEmpty() && over);
  }

  /**
   * The existing tables that hold no key behind this one. Not those of level 0: a scan opens each
   * of them, wherever it starts.
   */
  List<Path> tablesUpTo(Key key) {
    return tables.stream()
        .filter(table -> table.level() > 0)
        .filter(table -> SalvageTable.compare(table.largestKey(), key.bytes()) <= 0)
        .map(SalvageTable.Table::file)
        .filter(Files::exists)
        .toList();
  }

  /** Reads until records are found; returns false at the end. */
  private boolean fill() throws IOException {
    while (found.isEmpty() && !over) {
      if (gap == null) {
        byte[] key = scan.next();
        if (scan.isBehindGap()) {
          gap = new Gap(scan.gapStart(), key);
          unreadable.add(SalvageTable.range(scan.gapStart(), key));
        } else {
          take(key);
        }
      } else {
        byte[] behind = gap.before;
        gap = fromTables(gap);
        if (gap == null) {
          take(behind);
        }
      }
    }
    return !found.isEmpty();
  }

  private void take(byte @Nullable [] key) {
    if (key == null) {
      over = true;
    } else {
      decode(key, scan.at().value(), isLogComplete);
    }
  }

  private void decode(byte[] key, byte[] stored, boolean isNewest) {
    Key named = Key.ofBytes(key);
    try {
      Mutation mutation = new Mutation(named, RecordCodec.decode(named, ByteBuffer.wrap(stored)));
      found.add(new Salvageable(mutation, isNewest));
    } catch (CorruptRecordException | IllegalArgumentException e) {
      unreadable.add(KeyRange.only(named));
    }
  }

  /**
   * Finds some of the records in a gap, starting with its first key.
   *
   * @return the rest of the gap, or null if nothing is left
   */
  private @Nullable Gap fromTables(Gap gap) throws IOException {
    BlobFiles.Page large = blobs().page(gap.from, gap.before, GAP_BYTES_MAX);
    NavigableMap<byte[], byte[]> held = large.newest();
    byte[] reached = null;
    for (SalvageTable.Table table : tables) {
      if (!table.overlaps(gap.from, large.end())) {
        continue;
      }
      if (reached != null && SalvageTable.compare(table.smallestKey(), reached) > 0) {
        break;
      }
      byte[] to =
          SalvageTable.read(table.file(), gap.from, large.end(), GAP_BYTES_MAX, blobs(), held)
              .last();
      reached =
          reached == null || (to != null && SalvageTable.compare(to, reached) < 0) ? to : reached;
    }
    (reached == null ? held : held.headMap(reached, true)).forEach(this::lookUp);
    if (reached != null) {
      return new Gap(SalvageTable.next(reached), gap.before);
    }
    return large.isCut() ? new Gap(large.end(), gap.before) : null;
  }

  private BlobFiles blobs() throws IOException {
    if (blobs == null) {
      blobs = BlobFiles.open(settings.directory());
    }
    return blobs;
  }

  private void lookUp(byte[] key, byte[] found) {
    try {
      byte[] newest = db.get(records, read, key);
      if (newest != null) {
        decode(key, newest, isLogComplete);
      }
    } catch (RocksDBException e) {
      // The unreadable record may be a newer version.
      decode(key, found, false);
    }
  }

  @Override
  public void close() {
    if (blobs != null) {
      blobs.close();
    }
    scan.close();
    tableKeys.close();
    read.close();
    db.close();
    options.close();
  }
}
