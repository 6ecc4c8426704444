package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one set-aside store, opens it when needed, and deletes files and parts of files whose
 * records are stored again. A store that is opened again continues behind the last key that was
 * returned. Confined to one thread.
 */
final class SalvageReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SalvageReader.class);

  private final StoreSettings settings;
  private final Path directory;
  private final List<KeyRange> unreadable = new ArrayList<>();
  private final List<KeyRange> unreported = new ArrayList<>();
  private @Nullable SalvageSource source;
  private @Nullable BlobFiles blobs;
  private Optional<Boolean> isLogComplete = Optional.empty();
  private Optional<Key> returned = Optional.empty();
  private Optional<Key> stored = Optional.empty();
  private boolean hasBegun;
  private boolean wasOpened;
  private boolean isWholeReleased;
  private boolean isRead;
  private boolean canFreeBlobs = true;

  /** A reader of the store in a directory. */
  SalvageReader(StoreSettings settings) {
    this.settings = settings;
    this.directory = settings.directory();
  }

  /** Returns whether the last page was returned. */
  boolean isRead() {
    return isRead;
  }

  /** Reads the next page; the records of the one before are stored. Blocks. */
  Salvaged.Page next(ScanLimits limits) throws IOException, RocksDBException {
    if (!hasBegun) {
      resume();
    }
    stored = returned;
    if (isWholeReleased) {
      isRead = true;
      return new Salvaged.Page(List.of(), List.copyOf(unreadable), true);
    }
    if (source == null) {
      source = open();
    }
    Salvaged.Page page = source.next(limits);
    note(page.unreadable());
    if (source instanceof CorruptedStore && !page.records().isEmpty()) {
      returned = Optional.of(page.records().getLast().mutation().key());
    }
    isRead = page.isLast();
    List<KeyRange> found = List.copyOf(unreported);
    unreported.clear();
    return new Salvaged.Page(page.records(), found, isRead);
  }

  private void resume() throws IOException {
    ReleasedPart.of(directory)
        .ifPresent(part -> {
          isWholeReleased = part.isWhole();
          isLogComplete = Optional.of(part.isLogComplete());
          returned = part.upTo();
          note(part.unreadable());
        });
    hasBegun = true;
    log.info("Salvaging the corrupted store {}", directory);
  }

  private void note(List<KeyRange> ranges) {
    unreported.addAll(ranges);
    Salvaged.addUnreadable(unreadable, ranges);
  }

  private SalvageSource open() throws IOException, RocksDBException {
    try {
      RocksDB.loadLibrary();
      if (WalCheck.isManifestCut(directory)) {
        log.warn("The catalogue of {} lost its end; its files are read one by one", directory);
        return CorruptedFiles.open(settings);
      }
      boolean isComplete = isLogComplete.orElseGet(() -> WalCheck.isComplete(settings));
      isLogComplete = Optional.of(isComplete);
      byte[] start = returned.flatMap(Key::next).map(Key::bytes).orElse(null);
      CorruptedStore opened = CorruptedStore.open(settings, isComplete, start);
      wasOpened = true;
      return opened;
    } catch (RocksDBException e) {
      if (wasOpened) {
        // Its catalogue can be read: the caller tries again.
        throw e;
      }
      log.warn(
          "The catalogue of {} cannot be read ({}); its files are read one by one",
          directory,
          e.getMessage());
      return CorruptedFiles.open(settings);
    }
  }

  /**
   * Deletes the tables of which all records are stored again, and frees the parts of blob files
   * with such records. Blocks.
   */
  void releaseStored(boolean hasSingleCopies) throws IOException {
    if (!(source instanceof CorruptedStore sorted) || stored.isEmpty()) {
      return;
    }
    if (blobs == null) {
      blobs = BlobFiles.open(directory);
    }
    List<Path> tables = sorted.tablesUpTo(stored.get());
    List<BlobFile> freed = canFreeBlobs ? blobs.pass(stored.get().bytes()) : List.of();
    if (tables.isEmpty() && freed.isEmpty()) {
      return;
    }
    keep(false, hasSingleCopies);
    free(freed);
    if (!tables.isEmpty()) {
      // An open file keeps its space.
      closeSource();
      for (Path table : tables) {
        Files.deleteIfExists(table);
      }
      log.info("Deleted {} tables of {}: their records are stored again", tables.size(), directory);
    }
  }

  private void free(List<BlobFile> files) {
    try {
      for (BlobFile file : files) {
        file.free();
      }
    } catch (IOException e) {
      canFreeBlobs = false;
      log.warn("Blob files of {} keep their space until all of it is read", directory, e);
    }
  }

  /** Deletes all files, since all readable records are stored again. Blocks. */
  void releaseAll(boolean hasSingleCopies) throws IOException {
    close();
    if (!isWholeReleased) {
      keep(true, hasSingleCopies);
      isWholeReleased = true;
      log.info("Deleted the files in {}: their records are stored again", directory);
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!file.endsWith(ReleasedPart.FILE)) {
          StoreDirectories.deleteAll(file);
        }
      }
    }
  }

  private void keep(boolean isWhole, boolean hasSingleCopies) throws IOException {
    new ReleasedPart(
            isWhole,
            isWhole ? Optional.empty() : stored,
            isLogComplete.orElse(false),
            hasSingleCopies,
            unreadable)
        .keepIn(directory);
  }

  @Override
  public void close() {
    closeSource();
    if (blobs != null) {
      blobs.close();
      blobs = null;
    }
  }

  private void closeSource() {
    if (source != null) {
      source.close();
      source = null;
    }
  }
}
