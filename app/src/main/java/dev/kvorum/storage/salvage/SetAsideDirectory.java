package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.files.Directories;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.rocks.WalCheck;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A corrupted store in a directory of its own. Opened when it is read. */
public final class SetAsideDirectory implements SetAsideStore {
  private static final Logger log = LoggerFactory.getLogger(SetAsideDirectory.class);

  private final StoreSettings settings;
  private final Path directory;
  private final ReleasedPartFile released;
  private @Nullable SalvageSource source;
  private @Nullable BlobFiles blobs;
  private Optional<Boolean> isLogComplete = Optional.empty();
  private boolean wasOpened;
  private boolean canFreeBlobs = true;

  /**
   * The store in a directory.
   *
   * @param settings settings with this directory
   */
  public SetAsideDirectory(StoreSettings settings) {
    this.settings = settings;
    this.directory = settings.directory();
    this.released = new ReleasedPartFile(directory);
  }

  @Override
  public Optional<ReleasedPart> released() throws IOException {
    return released.read();
  }

  @Override
  public void keepReleased(ReleasedPart part) throws IOException {
    released.write(part);
  }

  @Override
  public Salvaged.Page next(ScanLimits limits, Optional<Key> behind) throws IOException {
    if (source == null) {
      source = open(behind);
    }
    return source.next(limits);
  }

  private SalvageSource open(Optional<Key> behind) throws IOException {
    try {
      RocksDB.loadLibrary();
      if (WalCheck.isManifestCut(directory)) {
        log.warn("The catalogue of {} lost its end; its files are read one by one", directory);
        return CorruptedFiles.open(settings);
      }
      return openInOrder(behind);
    } catch (RocksDBException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private SalvageSource openInOrder(Optional<Key> behind) throws IOException, RocksDBException {
    if (isLogComplete.isEmpty()) {
      isLogComplete = released().map(ReleasedPart::isLogComplete);
    }
    boolean isComplete = isLogComplete.orElseGet(() -> WalCheck.isComplete(settings));
    isLogComplete = Optional.of(isComplete);
    byte[] start = behind.flatMap(Key::next).map(Key::bytes).orElse(null);
    try {
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

  @Override
  public boolean isInOrder() {
    return source instanceof CorruptedStore;
  }

  @Override
  public boolean isLogComplete() {
    return isLogComplete.orElse(false);
  }

  @Override
  public void deleteUpTo(Key key, BeforeDeletion before) throws IOException {
    if (!(source instanceof CorruptedStore inOrder)) {
      return;
    }
    if (blobs == null) {
      blobs = BlobFiles.open(directory);
    }
    List<Path> tables = inOrder.tablesUpTo(key);
    List<BlobFile> freed = canFreeBlobs ? blobs.pass(key.bytes()) : List.of();
    if (tables.isEmpty() && freed.isEmpty()) {
      return;
    }
    before.run();
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

  @Override
  public void deleteAll() throws IOException {
    close();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!file.endsWith(ReleasedPartFile.NAME)) {
          Directories.delete(file);
        }
      }
    }
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
