package dev.kvorum.storage.rocks;

import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The corrupted stores beside a node's store. A separate thread reads one after the other. */
final class CorruptedStores implements SetAsideStores, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CorruptedStores.class);

  private final StoreSettings settings;
  private final StoreDirectories directories;
  private final LostKeysFile lostFile;
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("kvorum-salvage").factory());

  // Confined to the reader's thread.
  private final Deque<Path> unread = new ArrayDeque<>();
  private @Nullable SalvageSource source;

  private volatile boolean isPending;
  private volatile LostKeys lost;

  /** Finds the corrupted stores. Blocks. */
  CorruptedStores(StoreSettings settings, StoreDirectories directories) {
    this.settings = settings;
    this.directories = directories;
    this.lostFile = new LostKeysFile(directories.lostKeys());
    try {
      lost = lostFile.read();
    } catch (IOException e) {
      throw StoreOpenException.of(settings.directory(), e);
    }
    refresh();
  }

  /** Finds the corrupted stores again. Blocks. */
  void refresh() {
    try {
      isPending = !directories.corrupted().isEmpty();
    } catch (IOException e) {
      throw StoreOpenException.of(settings.directory(), e);
    }
  }

  @Override
  public boolean isPending() {
    return isPending;
  }

  @Override
  public LostKeys lost() {
    return lost;
  }

  @Override
  public void begin() {
    onReader(
        () -> {
          closeSource();
          unread.clear();
          unread.addAll(directories.corrupted());
        },
        () -> {});
  }

  @Override
  public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
    try {
      reader.execute(() -> {
        Salvaged page = page(limits);
        loop.execute(() -> waiter.answer(page));
      });
    } catch (RejectedExecutionException e) {
      loop.execute(() -> waiter.answer(new Salvaged.Failed("the store is closed")));
    }
  }

  private Salvaged page(ScanLimits limits) {
    try {
      if (source == null) {
        Path next = unread.peek();
        if (next == null) {
          return new Salvaged.Page(List.of(), List.of(), true);
        }
        log.info("Salvaging the corrupted store {}", next);
        source = open(settings.salvagedIn(next));
      }
      Salvaged.Page page = source.next(limits);
      if (page.isLast()) {
        closeSource();
        unread.remove();
      }
      return new Salvaged.Page(
          page.records(), page.unreadable(), page.isLast() && unread.isEmpty());
    } catch (IOException | RocksDBException | RuntimeException e) {
      log.error("A corrupted store that was set aside cannot be read", e);
      closeSource();
      return new Salvaged.Failed(String.valueOf(e.getMessage()));
    }
  }

  private static SalvageSource open(StoreSettings settings) throws IOException, RocksDBException {
    try {
      return CorruptedStore.open(settings);
    } catch (RocksDBException e) {
      log.warn(
          "The catalogue of {} cannot be read ({}); its files are read one by one",
          settings.directory(),
          e.getMessage());
      return CorruptedFiles.open(settings);
    }
  }

  private void closeSource() {
    if (source != null) {
      source.close();
      source = null;
    }
  }

  @Override
  public void keepLost(LostKeys now, Executor loop, Runnable done) {
    onReader(
        () -> {
          lostFile.write(now);
          lost = now;
        },
        () -> loop.execute(done));
  }

  @Override
  public void release(Executor loop, Runnable done) {
    onReader(
        () -> {
          closeSource();
          directories.release(directories.corrupted(), settings.storage().diskFreeMinBytes());
          isPending = false;
        },
        () -> loop.execute(done));
  }

  /** A task that may fail because of the disk. */
  @FunctionalInterface
  private interface DiskTask {
    void run() throws IOException;
  }

  private void onReader(DiskTask task, Runnable next) {
    try {
      reader.execute(() -> {
        try {
          task.run();
        } catch (IOException | RuntimeException e) {
          log.error("Corrupted stores beside {}: {}", settings.directory(), e.getMessage(), e);
        }
        next.run();
      });
    } catch (RejectedExecutionException e) {
      log.debug("The store is closed", e);
    }
  }

  /** Ends the current task and closes the files. Blocks. */
  @Override
  public void close() {
    onReader(this::closeSource, () -> {});
    reader.close();
  }
}
