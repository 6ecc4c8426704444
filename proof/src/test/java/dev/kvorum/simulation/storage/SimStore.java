package dev.kvorum.simulation.storage;

import dev.kvorum.data.RejectReason;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Durability;
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
import dev.kvorum.storage.engine.StorageSettings;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.VirtualStore;
import dev.kvorum.storage.replace.ReplaceableStore;
import dev.kvorum.storage.replace.VirtualReplacement;
import dev.kvorum.virtualtime.VirtualLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The store of one process, on a simulated disk that takes its time. */
public final class SimStore extends ForwardingStore
    implements ForwardingHints, MarkStore, VirtualStore.Delays {
  private static final long HINT_BYTES_MAX = 64 << 10;

  private static final long PAGE_MICROS = 20_000;
  private static final long SLOW_PAGE_MICROS = 800_000;

  private final SimDisk disk;
  private final SimStoreDisk files;
  private final RandomGenerator random;
  private final boolean isSlowToSalvage;
  private final ReplaceableStore current;

  /** Opens the store. */
  public SimStore(
      DiskSteps steps,
      Durability durability,
      VirtualLoop device,
      ChecksumVerifier verifier,
      Supplier<OnCorruption> onCorruption) {
    this.disk = steps.disk();
    this.random = steps.random();
    this.isSlowToSalvage = random.nextBoolean();
    this.files = new SimStoreDisk(steps, settings(durability), verifier, device, this);
    this.current = VirtualReplacement.open(files, onCorruption, device, this::taskMicros);
  }

  private static StoreSettings settings(Durability durability) {
    StorageSettings storage =
        TestSettings.of(
            StorageSettings.class,
            "durability=" + durability,
            "write-queue-max=64",
            "write-queue-bytes-max=1MB",
            "batch-writes-max=16",
            "batch-bytes-max=1MB");
    return StoreSettings.of(Path.of("simulated"), storage, HINT_BYTES_MAX, Duration.ofSeconds(5));
  }

  @Override
  public long commitMicros(boolean needsSync) {
    long micros = needsSync ? 300 + random.nextLong(4000) : 20 + random.nextLong(100);
    return micros + 1000 * disk.slowMillis;
  }

  @Override
  public long readMicros() {
    return 50 + random.nextLong(3000) + 500 * disk.slowMillis;
  }

  /** Reading around what is corrupted takes its time, of one member more than of another. */
  private long taskMicros() {
    boolean isSlow = isSlowToSalvage || disk.isSlowToSalvage;
    long own = random.nextLong(isSlow ? SLOW_PAGE_MICROS : PAGE_MICROS);
    return 1000 + 1000 * disk.slowMillis + own;
  }

  /**
   * Closes the store and continues with what is on the disk then.
   *
   * @param change of the disk, once nothing of the old store is under way
   */
  public void reopen(Runnable change) {
    VirtualReplacement.reopen(current, change);
  }

  /** Reads what is corrupted. */
  public void meetCorruption() {
    current.read(SimEngine.PROBE, Detail.RECORD, Runnable::run, found -> {});
  }

  /** See {@link ReplaceableStore#checkpoint}. */
  public void checkpoint(Path directory) throws EngineException {
    current.checkpoint(directory);
  }

  /** See {@link ReplaceableStore#isFailed}. */
  public boolean isFailed() {
    return current.isFailed();
  }

  /** See {@link ReplaceableStore#whenReplaced}. */
  public void whenReplaced(Runnable before, Runnable after) {
    current.whenReplaced(before, after);
  }

  /** See {@link ReplaceableStore#reset}. */
  public CompletableFuture<Void> reset(String reason) {
    return current.reset(reason);
  }

  public SetAsideStores corruptedStores() {
    return current.corruptedStores();
  }

  /** Whether the process has to be started again. */
  public boolean needsRestart() {
    return current.needsRestart();
  }

  /** How often the store was opened again after an I/O error. */
  public long reopened() {
    return current.reopened();
  }

  /** The process dies: what was being written may be there or not. */
  public void die() {
    files.die();
  }

  @Override
  protected Store delegate() {
    return current;
  }

  @Override
  public void close() {
    current.close();
  }

  @Override
  public MarkStore ofThisStore() {
    return disk.keepsMarks ? current.ofThisStore() : this;
  }

  @Override
  public long mark(String name) {
    return current.mark(name);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    if (disk.keepsMarks) {
      current.keepMark(name, number, loop, waiter);
    } else {
      waiter.reply(new WriteResult.Rejected(RejectReason.STORAGE_FAILED));
    }
  }

  @Override
  public HintStore hints() {
    return current.hints();
  }
}
