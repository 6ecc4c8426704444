package dev.kvorum.simulation.storage;

import dev.kvorum.data.RejectReason;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.ForwardingHints;
import dev.kvorum.storage.ForwardingStore;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StorageSettings;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.engine.VirtualStore;
import dev.kvorum.virtualtime.VirtualLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** The store of one process, on a simulated disk that takes its time. */
public final class SimStore extends ForwardingStore
    implements ForwardingHints, MarkStore, VirtualStore.Delays {
  private static final long HINT_BYTES_MAX = 64 << 10;

  private final SimDisk disk;
  private final StoreSettings settings;
  private final VirtualLoop device;
  private final RandomGenerator random;
  private final ChecksumVerifier verifier;
  private SimEngine engine;
  private RecordStore current;

  public SimStore(
      SimDisk disk,
      Durability durability,
      VirtualLoop device,
      RandomGenerator random,
      ChecksumVerifier verifier) {
    this.disk = disk;
    this.settings = settings(durability);
    this.device = device;
    this.random = random;
    this.verifier = verifier;
    this.engine = new SimEngine(disk, random);
    this.current = open(engine);
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

  private RecordStore open(SimEngine on) {
    return VirtualStore.open(on, settings, this::freeBytes, verifier, device, this);
  }

  private long freeBytes() {
    return disk.full ? 0 : Long.MAX_VALUE;
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

  /**
   * Closes the store and continues with what is on the disk then.
   *
   * @param change of the disk, once nothing of the old store is under way
   */
  public void replace(Runnable change) {
    current.close();
    change.run();
    engine = new SimEngine(disk, random);
    current = open(engine);
  }

  /** The process dies: what was being written may be there or not. */
  public void die() {
    engine.die();
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
    return disk.keepsMarks ? current.marks() : this;
  }

  @Override
  public long mark(String name) {
    return current.marks().mark(name);
  }

  @Override
  public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    if (disk.keepsMarks) {
      current.marks().keepMark(name, number, loop, waiter);
    } else {
      waiter.answer(new WriteResult.Refused(RejectReason.STORAGE_FAILED));
    }
  }

  @Override
  public HintStore hints() {
    return current.hints();
  }
}
