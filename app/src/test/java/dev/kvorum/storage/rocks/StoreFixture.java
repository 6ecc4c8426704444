package dev.kvorum.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.Engine;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StorageSettings;
import dev.kvorum.storage.engine.StoreProbes;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.replace.RocksStoreDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What tests of the store share: small settings, short words and answers to wait for. */
public final class StoreFixture {
  public static final Executor INLINE = Runnable::run;
  public static final WriteResult STORED = WriteResult.Stored.STORED;
  private static final long POLL_NANOS = 500_000;

  private StoreFixture() {}

  public static StoreSettings settings(Path directory) {
    return settings(directory, 1000);
  }

  public static StoreSettings settings(Path directory, long diskFreeMinBytes) {
    return settings(directory, diskFreeMinBytes, Durability.SYNC, Duration.ofMillis(20));
  }

  public static StoreSettings settings(
      Path directory, long diskFreeMinBytes, Durability durability, Duration syncInterval) {
    StorageSettings storage =
        TestSettings.of(
            StorageSettings.class,
            "durability=" + durability,
            "sync-interval=" + syncInterval,
            "memory=8MB",
            "blob-min=0",
            "compaction-rate-max=1GB",
            "disk-free-min=" + diskFreeMinBytes,
            "read-queue-max=1024");
    return StoreSettings.of(directory, storage, 10_000, Duration.ofSeconds(10));
  }

  /** The same settings, apart from the named ones of {@code kvorum.storage}. */
  public static StoreSettings with(StoreSettings usual, String... settings) {
    return StoreSettings.of(
        usual.directory(),
        TestSettings.with(usual.storage(), settings),
        usual.hintBytesMax(),
        usual.closeTimeout());
  }

  /** What is native beneath a store. */
  public static RocksDatabase database(RecordStore store) {
    return ((RocksEngine) store.engine()).database();
  }

  /** A database without a store. */
  public static Engine engine(StoreSettings settings) {
    return RocksEngine.open(settings);
  }

  public static RocksStoreDisk disk(StoreSettings settings) {
    return disk(settings, InstantSource.system());
  }

  public static RocksStoreDisk disk(StoreSettings settings, InstantSource wallClock) {
    return new RocksStoreDisk(settings, CommitListener.NONE, new ChecksumVerifier(), wallClock);
  }

  public static RecordStore open(Path directory) {
    return open(settings(directory));
  }

  public static RecordStore open(StoreSettings settings) {
    return open(settings, damage -> {});
  }

  public static RecordStore open(StoreSettings settings, Consumer<String> onCorruption) {
    return RocksStore.open(settings, probes(new ChecksumVerifier()), onCorruption);
  }

  /** Those of a store whose disk is never full and whose commits nobody measures. */
  public static StoreProbes probes(ChecksumVerifier verifier) {
    return new StoreProbes(CommitListener.NONE, () -> 1 << 20, verifier);
  }

  public static Versioned live(long stamp, String value) {
    return Versioned.live(
        new Version(stamp, 1), Versioned.NEVER, 3, value.getBytes(StandardCharsets.UTF_8));
  }

  public static Versioned tombstone(long stamp) {
    return Versioned.tombstone(new Version(stamp, 1), 3);
  }

  public static Mutation put(String key, long stamp, String value) {
    return new Mutation(Key.of(key), live(stamp, value));
  }

  public static CompletableFuture<WriteResult> applying(Store store, Mutation mutation) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.apply(mutation, INLINE, answer::complete);
    return answer;
  }

  public static WriteResult apply(Store store, Mutation mutation) {
    return await(applying(store, mutation));
  }

  public static ReadResult read(Store store, String key) {
    return read(store, key, Store.Detail.RECORD);
  }

  public static ReadResult read(Store store, String key, Store.Detail detail) {
    CompletableFuture<ReadResult> answer = new CompletableFuture<>();
    store.read(Key.of(key), detail, INLINE, answer::complete);
    return await(answer);
  }

  public static WriteResult applyStreamed(Store store, Mutation mutation) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.applyStreamed(mutation, INLINE, answer::complete);
    return await(answer);
  }

  public static CompletableFuture<WriteResult> restoring(Store store, Mutation mutation) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.restore(mutation, INLINE, answer::complete);
    return answer;
  }

  public static CompletableFuture<WriteResult> expiring(Store store, String key, long stamp) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.expire(Key.of(key), new Version(stamp, 1), INLINE, answer::complete);
    return answer;
  }

  public static CompletableFuture<WriteResult> removing(Store store, String key, long stamp) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.remove(Key.of(key), new Version(stamp, 1), INLINE, answer::complete);
    return answer;
  }

  public static WriteResult keepMark(MarkStore store, String name, long number) {
    CompletableFuture<WriteResult> answer = new CompletableFuture<>();
    store.keepMark(name, number, INLINE, answer::complete);
    return await(answer);
  }

  public static ScanResult scan(
      Store store, KeyRange range, Store.Detail detail, ScanLimits limits) {
    return scan(store, range, KeyOrder.ASCENDING, detail, limits);
  }

  public static ScanResult scan(
      Store store, KeyRange range, KeyOrder order, Store.Detail detail, ScanLimits limits) {
    CompletableFuture<ScanResult> answer = new CompletableFuture<>();
    store.scan(range, order, detail, limits, INLINE, answer::complete);
    return await(answer);
  }

  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  public static void awaitUntil(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** A loop that runs its tasks when the test releases them. */
  public static final class HeldLoop implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    public int tasks() {
      return tasks.size();
    }

    /** Runs one task, waiting for it to be given. */
    public void runNext() {
      try {
        Runnable task = tasks.poll(20, TimeUnit.SECONDS);
        assertThat(task).as("a task for the loop").isNotNull();
        task.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A loop on which the writer thread stops until it is released: later operations queue. */
  public static final class Barrier implements Executor {
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();

    @Override
    public void execute(Runnable task) {
      task.run();
      reached.complete(true);
      await(open);
    }

    /** Waits until a thread is held here. */
    public void awaitReached() {
      await(reached);
    }

    /** Makes the writer thread stop behind this write. */
    public void stopAt(Store store, Mutation mutation) {
      store.apply(mutation, this, answer -> {});
      await(reached);
    }

    public void closeIfUnused() {
      open.complete(true);
    }
  }
}
