package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.Gate;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open RocksDB database with its three column families: {@code records} under the users' keys,
 * {@code hints}, and {@code meta} for the store's metadata.
 *
 * <p>Use after {@link #close} would crash the process in native code; the owner prevents that with
 * a {@link Gate}.
 */
public final class RocksDatabase implements AutoCloseable {
  static final byte[] META = name("meta");
  static final byte[] RECORDS = name("records");
  private static final Logger log = LoggerFactory.getLogger(RocksDatabase.class);
  private static final byte[] LAYOUT_KEY = "layout".getBytes(StandardCharsets.UTF_8);
  private static final int LAYOUT = 1;
  private static final int FLUSHES_MAX = 10;

  private final RocksDB db;
  private final RocksOptions options;
  private final ColumnFamilyHandle records;
  private final ColumnFamilyHandle hints;
  private final ColumnFamilyHandle meta;
  private final SyncedSequence synced;

  private RocksDatabase(
      RocksDB db, RocksOptions options, List<ColumnFamilyHandle> families, SyncedSequence synced) {
    this.db = db;
    this.options = options;
    this.synced = synced;
    this.records = families.get(1);
    this.hints = families.get(2);
    this.meta = families.get(3);
  }

  /**
   * Opens or creates the database of these settings.
   *
   * @throws StoreOpenException if an existing one cannot be opened
   */
  public static RocksDatabase open(StoreSettings settings) {
    Path directory = settings.directory();
    // Must precede any native object, whose static initializers need the library.
    loadLibrary(directory);
    boolean hasLostCurrent = prepare(directory);
    SyncedSequence synced = checkedLog(settings);
    RocksDatabase opened;
    try {
      opened = openWith(settings, !hasLostCurrent, synced);
    } catch (RocksDBException e) {
      closeQuietly(synced);
      // Use by another process was detected before.
      if (hasLostCurrent && e.getStatus().getCode() == Status.Code.InvalidArgument) {
        throw StoreOpenException.damaged(directory, "CURRENT is missing", e);
      }
      throw RocksErrors.unopened(directory, e);
    }
    try {
      WalCheck.requireComplete(
          directory, synced.get(), opened.db.getLatestSequenceNumber(), List.of());
      opened.checkLayout(directory);
      // Recovery has written all that it read to tables, durably.
      opened.recordSynced(opened.sequence());
      opened.persistSynced();
      return opened;
    } catch (IOException | RocksDBException e) {
      opened.close();
      throw RocksErrors.unopened(directory, e);
    } catch (StoreOpenException e) {
      opened.close();
      throw e;
    }
  }

  /** Checks the log before any change, and opens the record of the synced sequence. */
  private static SyncedSequence checkedLog(StoreSettings settings) {
    Path directory = settings.directory();
    try {
      WalCheck.check(settings);
      return SyncedSequence.open(directory);
    } catch (IOException | RocksDBException e) {
      throw RocksErrors.unopened(directory, e);
    }
  }

  private static RocksDatabase openWith(
      StoreSettings settings, boolean mayCreate, SyncedSequence synced) throws RocksDBException {
    RocksOptions options = new RocksOptions(settings);
    // Otherwise RocksDB would create a new, empty database beside the files of one without CURRENT.
    options.database().setCreateIfMissing(mayCreate);
    List<ColumnFamilyDescriptor> families =
        List.of(
            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, options.meta()),
            new ColumnFamilyDescriptor(RECORDS, options.records()),
            new ColumnFamilyDescriptor(name("hints"), options.hints()),
            new ColumnFamilyDescriptor(META, options.meta()));
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    String directory = settings.directory().toString();
    try {
      RocksDB db = RocksDB.open(options.database(), directory, families, handles);
      return new RocksDatabase(db, options, handles, synced);
    } catch (RocksDBException e) {
      options.close();
      throw e;
    }
  }

  private static void loadLibrary(Path directory) {
    try {
      RocksDB.loadLibrary();
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw new StoreOpenException(
          directory,
          "RocksDB's native library cannot be loaded (" + reason.getMessage() + ")",
          "put it into a directory of java.library.path ("
              + System.getProperty("java.library.path")
              + "), or let java.io.tmpdir ("
              + System.getProperty("java.io.tmpdir")
              + ") be writable and its files executable",
          e);
    }
  }

  /** The name of the column family {@code meta}. */
  public static byte[] metaName() {
    return META.clone();
  }

  /** The name of the column family {@code records}. */
  public static byte[] recordsName() {
    return RECORDS.clone();
  }

  private static byte[] name(String family) {
    return family.getBytes(StandardCharsets.UTF_8);
  }

  /** Creates the directory; returns true if it contains a database without CURRENT. */
  private static boolean prepare(Path directory) {
    try {
      Files.createDirectories(directory);
      return !Files.exists(directory.resolve("CURRENT")) && holdsData(directory);
    } catch (AccessDeniedException e) {
      throw new StoreOpenException(
          directory,
          "access was denied",
          "grant the user of the node read and write access to the directory and its files",
          e);
    } catch (IOException e) {
      throw new StoreOpenException(
          directory, e.toString(), "give the node a directory that it can create and write to", e);
    }
  }

  private static boolean holdsData(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      // The first log, table and blob file are created after CURRENT.
      return files
          .map(Path::toString)
          .anyMatch(
              name -> name.endsWith(".sst") || name.endsWith(".blob") || name.endsWith(".log"));
    }
  }

  private void checkLayout(Path directory) throws RocksDBException {
    byte[] stored = db.get(meta, LAYOUT_KEY);
    if (stored == null) {
      db.put(meta, LAYOUT_KEY, ByteBuffer.allocate(Integer.BYTES).putInt(LAYOUT).array());
    } else if (stored.length != Integer.BYTES || ByteBuffer.wrap(stored).getInt() != LAYOUT) {
      throw new StoreOpenException(
          directory, "its layout is unknown to this version", "run the version that wrote it");
    }
  }

  public RocksDB db() {
    return db;
  }

  public ColumnFamilyHandle records() {
    return records;
  }

  public ColumnFamilyHandle hints() {
    return hints;
  }

  public ColumnFamilyHandle meta() {
    return meta;
  }

  /**
   * Writes all records that are only in the log to tables; with concurrent writes, most of them.
   * Blocks.
   */
  void flush() throws RocksDBException {
    try (FlushOptions waiting = new FlushOptions().setWaitForFlush(true)) {
      int flushes = 0;
      // RocksDB may return when a flush ends that began earlier, with records still to be written.
      do {
        db.flush(waiting, List.of(records, hints, meta));
      } while (db.getAggregatedLongProperty("rocksdb.num-immutable-mem-table") > 0
          && ++flushes < FLUSHES_MAX);
    }
  }

  Statistics statistics() {
    return options.statistics();
  }

  long cacheBytes() {
    return options.cacheBytes();
  }

  /** Sequence number of the last write. */
  long sequence() {
    return db.getLatestSequenceNumber();
  }

  /** Sequence number of the last write that is known to be synced. */
  long syncedSequence() {
    return synced.get();
  }

  /** Records that the log has been synced up to a write. Survives the process, not the machine. */
  void recordSynced(long sequence) throws IOException {
    synced.record(sequence);
  }

  /** Makes the last such record survive the machine too. Blocks. */
  void persistSynced() throws IOException {
    synced.persist();
  }

  /** Closes the files. The column families' handles are closed with their database. */
  @Override
  public void close() {
    db.close();
    options.close();
    closeQuietly(synced);
  }

  private static void closeQuietly(SyncedSequence synced) {
    try {
      synced.close();
    } catch (IOException e) {
      // The file is only a lower bound of what the log itself shows.
      log.warn("Cannot close {}", SyncedSequence.FILE, e);
    }
  }
}
