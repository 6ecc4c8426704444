package dev.kvorum.storage.salvage;

import dev.kvorum.storage.LostKeys;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.engine.PlatformTaskThread;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.TaskThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The corrupted stores beside a node's store. A separate thread reads one after the other. */
public final class CorruptedStores implements SetAsideStores, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CorruptedStores.class);

  private final SetAsideDisk disk;
  private final TaskThread reader;

  // Confined to the reader's thread.
  private final Deque<SalvageReader> unread = new ArrayDeque<>();
  private final List<SalvageReader> read = new ArrayList<>();
  private boolean hasBegun;

  private volatile List<String> pending = List.of();

  // Those whose records the current store has once it is complete.
  private volatile List<String> salvaged = List.of();

  private volatile boolean hadSingleCopies;
  private volatile LostKeys lost;

  /** Finds the corrupted stores. Blocks. */
  public CorruptedStores(SetAsideDisk disk) {
    this(disk, new PlatformTaskThread("kvorum-salvage"));
  }

  public CorruptedStores(SetAsideDisk disk, TaskThread reader) {
    this.disk = disk;
    this.reader = reader;
    try {
      lost = disk.lostKeys();
    } catch (IOException e) {
      throw StoreOpenException.of(disk.settings().directory(), e);
    }
    refresh();
    salvaged = pending;
  }

  /** Finds the corrupted stores again. Blocks. */
  public synchronized void refresh() {
    try {
      List<String> found = disk.corrupted();
      boolean hadAny = false;
      for (String store : found) {
        hadAny |= released(store).map(ReleasedPart::hasSingleCopies).orElse(false);
      }
      hadSingleCopies = hadAny;
      pending = found;
    } catch (IOException e) {
      throw StoreOpenException.of(disk.settings().directory(), e);
    }
  }

  private Optional<ReleasedPart> released(String store) throws IOException {
    try (SetAsideStore opened = disk.setAside(store)) {
      return opened.released();
    }
  }

  @Override
  public boolean isPending() {
    return !pending.isEmpty();
  }

  @Override
  public LostKeys lost() {
    return lost;
  }

  @Override
  public void begin() {
    salvaged = pending;
    onReader(
        () -> {
          List<SalvageReader> open = List.copyOf(unread);
          unread.clear();
          read.clear();
          hasBegun = false;
          // Last: if it fails, the next page is still the first one.
          open.forEach(SalvageReader::close);
        },
        succeeded -> {});
  }

  @Override
  public void next(ScanLimits limits, Executor loop, Waiter<Salvaged> waiter) {
    try {
      reader.execute(() -> {
        Salvaged page = page(limits);
        loop.execute(() -> waiter.reply(page));
      });
    } catch (RejectedExecutionException e) {
      loop.execute(() -> waiter.reply(new Salvaged.Failed("the store is closed")));
    }
  }

  private Salvaged page(ScanLimits limits) {
    try {
      if (!hasBegun) {
        disk.corrupted()
            .forEach(store -> unread.add(new SalvageReader(store, disk.setAside(store))));
        hasBegun = true;
      }
      if (!unread.isEmpty() && unread.getFirst().isRead()) {
        unread.getFirst().close();
        read.add(unread.remove());
      }
      if (unread.isEmpty()) {
        return new Salvaged.Page(List.of(), List.of(), true);
      }
      Salvaged.Page page = unread.getFirst().next(limits);
      return new Salvaged.Page(
          page.records(), page.unreadable(), page.isLast() && unread.size() == 1);
    } catch (IOException | RuntimeException | Error e) {
      log.error("A corrupted store that was set aside cannot be read", e);
      closeReaders();
      return new Salvaged.Failed(String.valueOf(e.getMessage()));
    }
  }

  private void closeReaders() {
    unread.forEach(SalvageReader::close);
  }

  @Override
  public boolean hadSingleCopies() {
    return hadSingleCopies;
  }

  @Override
  public void makeRoom(
      boolean areAllStored, boolean hasSingleCopies, Executor loop, Runnable done) {
    onReader(
        () -> {
          hadSingleCopies = hasSingleCopies;
          for (SalvageReader store : read) {
            store.releaseAll(hasSingleCopies);
          }
          for (SalvageReader store : unread) {
            if (areAllStored && store.isRead()) {
              store.releaseAll(hasSingleCopies);
            } else {
              store.releaseStored(hasSingleCopies);
            }
          }
        },
        // The salvage goes on where there is room.
        succeeded -> loop.execute(done));
  }

  /**
   * Records before a reset of the store that it holds the only copies of what was deleted here:
   * those count as unreadable from now on. Blocks.
   */
  public void losePartsStoredAgain() {
    reader.runNow(this::recordLostParts);
  }

  private void recordLostParts() {
    try {
      for (String store : disk.corrupted()) {
        try (SetAsideStore opened = disk.setAside(store)) {
          Optional<ReleasedPart> part = opened.released();
          if (part.isPresent()) {
            opened.keepReleased(part.get().lost());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void keepLost(LostKeys now, Executor loop, Consumer<Boolean> kept) {
    onReader(
        () -> {
          disk.keepLostKeys(now);
          lost = now;
        },
        succeeded -> loop.execute(() -> kept.accept(succeeded)));
  }

  @Override
  public void release(Executor loop, Consumer<Boolean> released) {
    List<String> unneeded = salvaged;
    onReader(
        () -> {
          closeReaders();
          // Without those that an earlier attempt has released.
          disk.release(disk.corrupted().stream().filter(unneeded::contains).toList());
          refresh();
        },
        succeeded -> loop.execute(() -> released.accept(succeeded)));
  }

  /** A task that may fail because of the disk. */
  @FunctionalInterface
  private interface DiskTask {
    void run() throws IOException;
  }

  /**
   * Runs a task.
   *
   * @param next receives whether it succeeded: a salvage or a rebuild waits for it
   */
  private void onReader(DiskTask task, Consumer<Boolean> next) {
    try {
      reader.execute(() -> next.accept(succeeds(task)));
    } catch (RejectedExecutionException e) {
      log.debug("The store is closed", e);
    }
  }

  private boolean succeeds(DiskTask task) {
    try {
      task.run();
      return true;
    } catch (IOException | RuntimeException | Error e) {
      log.error("Corrupted stores beside {}: {}", disk.settings().directory(), e.getMessage(), e);
      return false;
    }
  }

  /** Ends the current task and closes the files. Blocks. */
  @Override
  public void close() {
    onReader(this::closeReaders, succeeded -> {});
    reader.close();
  }
}
