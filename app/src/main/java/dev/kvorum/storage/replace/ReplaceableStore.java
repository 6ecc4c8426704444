package dev.kvorum.storage.replace;

import dev.kvorum.storage.ForwardingHints;
import dev.kvorum.storage.ForwardingStore;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreHealth;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreStats;
import dev.kvorum.storage.engine.TaskThread;
import dev.kvorum.storage.salvage.CorruptedStores;
import dev.kvorum.storage.salvage.PreservedState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's store, which can replace corrupted files with an empty store while the node runs, and is
 * opened again after an I/O error (ADR 0023).
 *
 * <p>During either, all requests are rejected as failed. {@link MarkStore#SET_ASIDE} in the new
 * store of a replacement means that a missing record is no absence until the rebuild has ended.
 */
public final class ReplaceableStore extends ForwardingStore implements ForwardingHints, MarkStore {
  private static final Logger log = LoggerFactory.getLogger(ReplaceableStore.class);

  private final Path directory;
  private final StoreDisk disk;
  private final Supplier<OnCorruption> onCorruption;
  private final StoreReplacement replacement;
  private final CorruptedStores corrupted;
  private final IoErrorRecovery recovery;
  private final TaskThread replacer;
  private volatile Runnable beforeReplaced = () -> {};
  private volatile Runnable onceItReplies = () -> {};
  private volatile boolean replacementFailed;
  private volatile boolean isReplacing;
  private volatile RecordStore current;
  private volatile ReopenedMarks marks;
  private boolean closed;

  /**
   * The marks of one store, also after it was opened again: its records are the same. After its
   * replacement, they are rejected by the closed store.
   */
  private static final class ReopenedMarks implements MarkStore {
    private volatile RecordStore store;

    ReopenedMarks(RecordStore store) {
      this.store = store;
    }

    void continueIn(RecordStore reopened) {
      store = reopened;
    }

    @Override
    public long mark(String name) {
      return store.marks().mark(name);
    }

    @Override
    public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
      store.marks().keepMark(name, number, loop, waiter);
    }
  }

  private ReplaceableStore(
      StoreDisk disk,
      Supplier<OnCorruption> onCorruption,
      Duration reopenAfter,
      ReplacementThreads threads) {
    this.disk = disk;
    this.directory = disk.settings().directory();
    this.onCorruption = onCorruption;
    this.replacer = threads.start("kvorum-store-replacer");
    this.replacement = new StoreReplacement(disk);
    this.recovery = new IoErrorRecovery(disk, reopenAfter, threads::nanoTime);
    synchronized (this) {
      // Corruption detected meanwhile waits: a replacement needs a current store.
      this.current = openUnderWatch(listener -> replacement.begin(onCorruption, listener));
      this.marks = new ReopenedMarks(current);
      this.corrupted = new CorruptedStores(disk, threads.start("kvorum-salvage"));
    }
  }

  public SetAsideStores corruptedStores() {
    return corrupted;
  }

  /**
   * Opens the current store of a disk, or creates an empty one. Blocks.
   *
   * @param onCorruption asked whenever corruption is met; {@link OnCorruption#REBUILD} requires
   *     that peers have copies of the records
   * @throws StoreOpenException if it cannot be opened, except for corruption that may be set aside
   */
  public static ReplaceableStore open(StoreDisk disk, Supplier<OnCorruption> onCorruption) {
    return open(disk, onCorruption, ReopenBackoff.FIRST);
  }

  /**
   * The same, with another wait after the first I/O error until the store is opened again.
   *
   * @param reopenAfter that wait
   */
  public static ReplaceableStore open(
      StoreDisk disk, Supplier<OnCorruption> onCorruption, Duration reopenAfter) {
    return open(disk, onCorruption, reopenAfter, ReplacementThreads.PLATFORM);
  }

  static ReplaceableStore open(
      StoreDisk disk,
      Supplier<OnCorruption> onCorruption,
      Duration reopenAfter,
      ReplacementThreads threads) {
    ReplaceableStore opened = new ReplaceableStore(disk, onCorruption, reopenAfter, threads);
    opened.recovery.begin(opened.replacer, () -> opened.current, opened::reopen);
    return opened;
  }

  private RecordStore openUnderWatch(Function<Consumer<String>, RecordStore> open) {
    CorruptionReport watch = new CorruptionReport(directory, onCorruption, this::replaceCorrupted);
    RecordStore opened = open.apply(watch::damaged);
    watch.begin(opened);
    return opened;
  }

  private void replaceCorrupted(RecordStore damaged, String what) {
    replaceLater(damaged, true, what).whenComplete((done, failure) -> {});
  }

  /**
   * Continues with an empty store; the records of this one are not restored. Does not block.
   *
   * @param reason reason for the log
   * @return completes once the empty store is in use; fails if all requests are rejected for good
   */
  public CompletableFuture<Void> reset(String reason) {
    return replaceLater(current, false, reason);
  }

  private CompletableFuture<Void> replaceLater(
      RecordStore unwanted, boolean isCorrupted, String reason) {
    try {
      return CompletableFuture.runAsync(() -> replace(unwanted, isCorrupted, reason), replacer);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void replace(RecordStore unwanted, boolean isCorrupted, String reason) {
    isReplacing = true;
    try {
      if (mayReplace(unwanted, isCorrupted)) {
        // Without the lock: a node that stops meanwhile need not wait for a disk that hangs.
        replacement.close(unwanted);
        putInPlace(unwanted, isCorrupted, reason);
      }
    } catch (IOException | EngineException | RuntimeException | Error e) {
      log.error("The store could not be replaced; restart the node", e);
      throw new IllegalStateException("the store could not be replaced: " + e.getMessage(), e);
    } finally {
      isReplacing = false;
    }
  }

  private synchronized boolean mayReplace(RecordStore unwanted, boolean isCorrupted) {
    if (closed || unwanted != current) {
      return false;
    }
    replacementFailed = true;
    if (!isCorrupted) {
      corrupted.losePartsStoredAgain();
    } else if (unwanted.health() != StoreHealth.STOPPED) { // which may be closed already
      unwanted.flush();
    }
    return true;
  }

  private synchronized void putInPlace(RecordStore unwanted, boolean isCorrupted, String reason)
      throws IOException, EngineException {
    if (!closed) {
      replacement.putAside(PreservedState.of(unwanted), isCorrupted, reason);
      corrupted.refresh();
      beforeReplaced.run();
      current = openUnderWatch(disk::open);
      marks = new ReopenedMarks(current);
      replacementFailed = false;
      onceItReplies.run();
    }
  }

  /** Opens a store again that an I/O error has stopped. Blocks; on the replacer's thread. */
  private void reopen(RecordStore stopped) {
    if (replacementFailed || stopped != current) {
      return;
    }
    try {
      // Without the lock: a node that stops meanwhile need not wait for a disk that hangs.
      replacement.closeToReopen(stopped);
      openAgain();
    } catch (StoreOpenException e) {
      if (e.isCorruption()) {
        // Only a start may set it aside: there, this replica does not vote yet.
        giveUp(e);
      } else {
        log.error("The store in {} could not be opened again and is tried later", directory, e);
      }
    } catch (RuntimeException | Error e) {
      giveUp(e);
    }
  }

  synchronized void openAgain() {
    if (!closed) {
      current = openUnderWatch(disk::open);
      marks.continueIn(current);
      recovery.reopened();
      log.warn("The store in {} was opened again after an I/O error", directory);
    }
  }

  private void giveUp(Throwable cause) {
    replacementFailed = true;
    log.error("The store in {} could not be opened again; restart the node", directory, cause);
  }

  /**
   * Sets callbacks for each replacement of the store. They run on a separate thread.
   *
   * @param before run before the new store replies, for revoking this replica's vote in reads; the
   *     marks are still those of the old store
   * @param after run once the new store is in use
   */
  public void whenReplaced(Runnable before, Runnable after) {
    beforeReplaced = before;
    onceItReplies = after;
  }

  /** Returns whether the last batch of writes failed, or no store works. */
  public boolean isFailed() {
    return replacementFailed || current.health() != StoreHealth.WORKS;
  }

  /** Returns whether no store accepts writes until the process is restarted. */
  public boolean needsRestart() {
    StoreHealth health = current.health();
    boolean staysStopped = health == StoreHealth.STOPPED && current.isCorrupted();
    boolean isUseless = replacementFailed || staysStopped || health == StoreHealth.BROKEN;
    return isUseless && !isReplacing;
  }

  /** How often the store was opened again after an I/O error. */
  public long reopened() {
    return recovery.count();
  }

  /**
   * Writes a copy of the current store to a new directory ({@link RecordStore#checkpoint}). Fails
   * if the store is replaced meanwhile: the copy may lack records that the new one is given.
   */
  public void checkpoint(Path copy) throws EngineException {
    RecordStore copied = current;
    copied.checkpoint(copy);
    if (copied != current) {
      throw EngineException.ofClosedStore();
    }
  }

  /** Current statistics. Takes locks in RocksDB; not for event loops. */
  public StoreStats stats() {
    return current.stats();
  }

  @Override
  protected Store delegate() {
    return current;
  }

  @Override
  public HintStore hints() {
    return current.hints();
  }

  @Override
  public MarkStore ofThisStore() {
    return marks;
  }

  @Override
  public long mark(String name) {
    return current.marks().mark(name);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    current.marks().keepMark(name, number, loop, waiter);
  }

  /** Closes the store after any replacement in progress. Blocks; not for event loops. */
  @Override
  public synchronized void close() {
    closed = true;
    replacer.shutdown();
    corrupted.close();
    current.close();
  }
}
