package dev.kvorum.storage.rocks;

import dev.kvorum.files.Directories;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.LoggerFactory;

/**
 * Decides before a store is opened whether its write-ahead log is complete. RocksDB's recovery
 * stops at the first unreadable record. Behind the last sync, this is the end after a crash, and
 * the dropped writes were never acknowledged. Before the last sync, acknowledged writes are
 * missing: corruption.
 *
 * <p>Changes the store only once it is known to be complete, so that a corrupted one remains as it
 * was.
 */
public final class WalCheck {
  private static final org.slf4j.Logger LOGGER = LoggerFactory.getLogger(WalCheck.class);

  private static final String SHADOW = "manifest-check";

  private WalCheck() {}

  /**
   * Checks the log of a store that is not in use. It skips a store that is in use, whose opening
   * fails later.
   *
   * @throws StoreOpenException if synced writes are missing
   * @throws RocksDBException if the store cannot be read at all
   */
  static void check(StoreSettings settings) throws IOException, RocksDBException {
    Path directory = settings.directory();
    if (!Files.exists(directory.resolve("CURRENT")) || isInUse(directory)) {
      return;
    }
    Optional<Path> manifest = ManifestTail.manifest(directory);
    if (manifest.isPresent()) {
      dropTornManifestTail(settings, manifest.get());
    }
    checkLog(settings);
  }

  private static void dropTornManifestTail(StoreSettings settings, Path manifest)
      throws IOException, RocksDBException {
    OptionalLong tornAt = ManifestTail.tornAt(manifest);
    if (tornAt.isPresent()) {
      long end = tornAt.getAsLong();
      checkWithoutTail(settings, manifest, end);
      LogFragments.cut(manifest, end);
      LOGGER.warn(
          "{} ended with an unsynced change; recovery dropped it and keeps the first {} bytes",
          manifest,
          end);
    }
  }

  /**
   * Checks the store as it would be without the end of the manifest. If tables belong to that end,
   * their records are no longer in any log: the end had been synced.
   */
  private static void checkWithoutTail(StoreSettings settings, Path manifest, long end)
      throws IOException, RocksDBException {
    Path shadow = settings.directory().resolve(SHADOW);
    if (Files.exists(shadow)) {
      Directories.delete(shadow);
    }
    Files.createDirectory(shadow);
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(settings.directory())) {
        for (Path file : files) {
          if (Files.isRegularFile(file) && !file.endsWith("LOCK") && !file.equals(manifest)) {
            Files.createLink(shadow.resolve(file.getFileName()), file);
          }
        }
      }
      Path copy = Files.copy(manifest, shadow.resolve(manifest.getFileName()));
      LogFragments.cut(copy, end);
      checkLog(settings.in(shadow));
    } finally {
      Directories.delete(shadow);
    }
  }

  private static void checkLog(StoreSettings settings) throws IOException, RocksDBException {
    Path directory = settings.directory();
    long recorded = SyncedSequence.newest(directory);
    long claimed = SyncClaims.newest(directory);
    if (!hasFamilies(directory)) {
      requireNew(directory, Math.max(recorded, claimed));
      return;
    }
    List<String> dropped = new ArrayList<>();
    LogGap gap = LogGap.of(directory);
    long read = readByRecovery(settings, dropped);
    long recoverable = Math.min(read, gap.last());
    requireComplete(directory, Math.max(recorded, claimed), recoverable, dropped);
    if (read > recoverable) {
      // Recovery would go on behind the gap and keep a later write without an earlier one.
      gap.cut();
      dropped.add("what follows a gap in the sequence numbers, up to " + read);
    }
    if (!dropped.isEmpty()) {
      LOGGER.warn(
          "The write-ahead log in {} ends in what was never synced or acknowledged as synced;"
              + " recovery drops it and keeps everything up to sequence {} (synced up to {}): {}",
          directory,
          recoverable,
          Math.max(recorded, claimed),
          dropped);
    }
  }

  /**
   * Returns whether all synced writes of a corrupted store's log are readable, even if other parts
   * are not.
   */
  public static boolean isComplete(StoreSettings settings) {
    try {
      Path directory = settings.directory();
      long synced = Math.max(SyncedSequence.newest(directory), SyncClaims.newest(directory));
      long read = readByRecovery(settings, new ArrayList<>());
      return Math.min(read, LogGap.of(directory).last()) >= synced;
    } catch (IOException | RocksDBException e) {
      LOGGER.warn("The write-ahead log of a corrupted store cannot be checked", e);
      return false;
    }
  }

  /** Returns whether later logs show that a corrupted store's manifest lost its end. */
  public static boolean isManifestCut(Path directory) {
    try {
      return LogGap.of(directory).isBetween();
    } catch (IOException e) {
      LOGGER.warn("The manifest of a corrupted store cannot be checked", e);
      return false;
    }
  }

  /**
   * Throws if a log that was synced up to one sequence number is readable only up to a smaller one.
   */
  static void requireComplete(Path directory, long synced, long recoverable, List<String> dropped) {
    if (recoverable < synced) {
      throw StoreOpenException.damaged(
          directory,
          "the write-ahead log was synced up to sequence "
              + synced
              + " and can be read up to "
              + recoverable
              + (dropped.isEmpty() ? "" : ": " + dropped),
          null);
    }
  }

  /**
   * Returns whether the manifest lists the store's column families, which the first open creates.
   */
  private static boolean hasFamilies(Path directory) throws RocksDBException {
    try (Options options = new Options()) {
      return RocksDB.listColumnFamilies(options, directory.toString()).stream()
          .anyMatch(name -> Arrays.equals(name, RocksDatabase.META));
    }
  }

  private static void requireNew(Path directory, long synced) {
    if (synced > 0) {
      throw StoreOpenException.damaged(
          directory, "its manifest does not name the column families that were written to", null);
    }
  }

  /** Returns whether another process has opened the store; never called while this process has. */
  private static boolean isInUse(Path directory) throws IOException {
    Path lock = directory.resolve("LOCK");
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      return held == null;
    }
  }

  /** The sequence number that recovery would reach; adds what it would drop. */
  private static long readByRecovery(StoreSettings settings, List<String> dropped)
      throws RocksDBException {
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    // Entries of records and hints are skipped and only counted.
    try (ColumnFamilyOptions family = new ColumnFamilyOptions();
        DropLog log = new DropLog(dropped);
        DBOptions options =
            RocksOptions.recovery()
                .setMaxOpenFiles(settings.storage().openFilesMax())
                .setLogger(log);
        RocksDB db =
            RocksDB.openReadOnly(
                options,
                settings.directory().toString(),
                List.of(
                    new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family),
                    new ColumnFamilyDescriptor(RocksDatabase.META.clone(), family)),
                handles,
                false)) {
      return db.getLatestSequenceNumber();
    }
  }

  /**
   * Collects RocksDB's reports of dropped parts of the log, except for the rest of a recycled log.
   */
  private static final class DropLog extends org.rocksdb.Logger {
    private static final int LINES_MAX = 8;
    private final List<String> dropped;

    DropLog(List<String> dropped) {
      super(InfoLogLevel.WARN_LEVEL);
      this.dropped = dropped;
    }

    @Override
    protected void log(InfoLogLevel level, String line) {
      if (line.contains("dropping") && line.contains("Corruption") && dropped.size() < LINES_MAX) {
        dropped.add(line.substring(line.indexOf(']') + 1).trim());
      }
    }
  }
}
