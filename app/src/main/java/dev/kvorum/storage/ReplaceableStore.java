package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.topology.MemberId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of a node, behind which an empty one can take the place of one whose files are damaged
 * while the node goes on.
 *
 * <p>Between the two everything is refused as failed. {@link MarkStore#SET_ASIDE} in the new one
 * says that what it does not hold is not absent before it has been rebuilt.
 */
public final class ReplaceableStore implements Store, HintStore, MarkStore {
  private static final Logger LOGGER = LoggerFactory.getLogger(ReplaceableStore.class);

  private final Path directory;
  private final OnDamage onDamage;
  private final StoreSuccession succession;
  private final CorruptedStores corrupted;
  private final ReentrantLock replacing = new ReentrantLock();
  private final ExecutorService replacer =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("kvorum-store-replacer").factory());
  private volatile Runnable beforeItAnswers = () -> {};
  private volatile Runnable onceItAnswers = () -> {};
  private volatile boolean replacementFailed;
  private volatile RocksStore current;
  private boolean closed;

  private ReplaceableStore(
      RocksSettings settings,
      CommitProbe probe,
      ChecksumVerifier verifier,
      OnDamage onDamage,
      InstantSource wallClock) {
    this.directory = settings.directory();
    this.onDamage = onDamage;
    this.succession = new StoreSuccession(settings, probe, verifier, wallClock);
    replacing.lock();
    try {
      // Damage that is met at once waits for the lock: there must be a store to replace.
      this.current = openUnderWatch(heard -> succession.begin(onDamage, heard));
      this.corrupted = new CorruptedStores(settings, succession.places());
    } finally {
      replacing.unlock();
    }
  }

  public SetAsideStores corruptedStores() {
    return corrupted;
  }

  /**
   * Opens the store of these settings, or makes an empty one. Blocks.
   *
   * @param verifier counts records and hints that do not match their checksums
   * @param onDamage with {@link OnDamage#REBUILD} others hold copies of what is here
   * @throws StoreOpenException when there is one that cannot be opened, and not because of damage
   *     that may be put aside
   */
  public static ReplaceableStore open(
      RocksSettings settings,
      CommitProbe probe,
      ChecksumVerifier verifier,
      OnDamage onDamage,
      InstantSource wallClock) {
    return new ReplaceableStore(settings, probe, verifier, onDamage, wallClock);
  }

  private RocksStore openUnderWatch(Function<Consumer<String>, RocksStore> open) {
    DamageWatch watch = new DamageWatch(this::react);
    RocksStore opened = open.apply(watch::damaged);
    watch.begin(opened);
    return opened;
  }

  private void react(RocksStore damaged, String what) {
    switch (onDamage) {
      case REBUILD -> {
        LOGGER.error("The store in {} is damaged: {}", directory, what);
        replaceLater(damaged, true, what).whenComplete((done, failure) -> {});
      }
      case REFUSE ->
          LOGGER.error(
              "The store in {} is damaged and stays as it is, since nobody can fill it again or"
                  + " kvorum.storage.on-damage says so; what is damaged cannot be read: {}",
              directory,
              what);
    }
  }

  /**
   * Goes on with an empty store; the records of this one do not come back. Does not block.
   *
   * @param reason for the log
   * @return done once the empty one is in use; fails when there is none, and then all is refused
   */
  public CompletableFuture<Void> startOver(String reason) {
    return replaceLater(current, false, reason);
  }

  private CompletableFuture<Void> replaceLater(
      RocksStore unwanted, boolean isCorrupted, String reason) {
    try {
      return CompletableFuture.runAsync(() -> replace(unwanted, isCorrupted, reason), replacer);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void replace(RocksStore unwanted, boolean isCorrupted, String reason) {
    replacing.lock();
    try {
      if (closed || unwanted != current) {
        return;
      }
      replacementFailed = true;
      if (isCorrupted) {
        unwanted.flush();
      }
      if (!unwanted.letGo()) {
        throw new IllegalStateException("a read or write in the store does not end");
      }
      succession.putAside(Keepsakes.of(unwanted), isCorrupted, reason);
      corrupted.refresh();
      beforeItAnswers.run();
      current = openUnderWatch(succession::open);
      replacementFailed = false;
      onceItAnswers.run();
    } catch (IOException | RocksDBException | RuntimeException e) {
      LOGGER.error("The store could not be replaced; the node has to be started again", e);
      throw new IllegalStateException("the store could not be replaced: " + e.getMessage(), e);
    } finally {
      replacing.unlock();
    }
  }

  /**
   * Has these run, on a thread of their own, whenever a new store takes the place of the old one.
   *
   * @param before the new one answers: the time to take back this replica's vote in reads; marks
   *     are the old one's still
   * @param after the new one is in use
   */
  public void whenReplaced(Runnable before, Runnable after) {
    beforeItAnswers = before;
    onceItAnswers = after;
  }

  /** Whether the last batch of writes failed, or there is no store that works. */
  public boolean isFailed() {
    return replacementFailed || current.isFailed();
  }

  /** Whether there is no store any more until the process is started again. */
  public boolean isGone() {
    return replacementFailed && !replacing.isLocked();
  }

  /** The state at this moment. Takes locks in RocksDB; not for event loops. */
  public StoreStats stats() {
    return current.stats();
  }

  @Override
  public void read(Key key, Detail detail, Executor loop, Waiter<Lookup> waiter) {
    current.read(key, detail, loop, waiter);
  }

  @Override
  public void apply(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    current.apply(mutation, loop, waiter);
  }

  @Override
  public void adopt(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    current.adopt(mutation, loop, waiter);
  }

  @Override
  public void scan(
      KeyRange range, Detail detail, ScanLimits limits, Executor loop, Waiter<Scanned> waiter) {
    current.scan(range, detail, limits, loop, waiter);
  }

  @Override
  public void entomb(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    current.entomb(key, version, loop, waiter);
  }

  @Override
  public void restore(Mutation mutation, Executor loop, Waiter<Applied> waiter) {
    current.restore(mutation, loop, waiter);
  }

  @Override
  public void remove(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    current.remove(key, version, loop, waiter);
  }

  @Override
  public void drop(Key key, Version version, Executor loop, Waiter<Applied> waiter) {
    current.drop(key, version, loop, waiter);
  }

  @Override
  public long removedUpTo() {
    return current.removedUpTo();
  }

  @Override
  public boolean isNearlyFull() {
    return current.isNearlyFull();
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    return current.hints().keep(target, mutation);
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    return current.hints().page(target, after, countMax);
  }

  @Override
  public void forget(List<Hint> hints) {
    current.hints().forget(hints);
  }

  @Override
  public Set<MemberId> targets() {
    return current.hints().targets();
  }

  @Override
  public long bytes() {
    return current.hints().bytes();
  }

  @Override
  public long count(MemberId target) {
    return current.hints().count(target);
  }

  @Override
  public MarkStore ofThisStore() {
    return current.marks();
  }

  @Override
  public long mark(String name) {
    return current.marks().mark(name);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<Applied> waiter) {
    current.marks().keepMark(name, number, loop, waiter);
  }

  /** Closes the store, a replacement under way being waited for. Blocks; not for event loops. */
  @Override
  public void close() {
    replacing.lock();
    try {
      closed = true;
      replacer.shutdown();
      corrupted.close();
      current.close();
    } finally {
      replacing.unlock();
    }
  }
}
