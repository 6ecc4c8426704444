package dev.kvorum.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What tests of the store share: small settings, short words and answers to wait for. */
final class StoreFixture {
  static final Executor INLINE = Runnable::run;
  static final Applied STORED = Applied.Stored.STORED;

  private StoreFixture() {}

  static RocksSettings settings(Path directory) {
    return settings(directory, 1000);
  }

  static RocksSettings settings(Path directory, long diskFreeMinBytes) {
    return settings(directory, diskFreeMinBytes, Durability.SYNC, Duration.ofMillis(20));
  }

  static RocksSettings settings(
      Path directory, long diskFreeMinBytes, Durability durability, Duration syncInterval) {
    RocksSettings usual = RocksSettings.defaults(directory);
    return new RocksSettings(
        directory,
        durability,
        syncInterval,
        Duration.ofSeconds(10),
        8 << 20,
        usual.walBytesMax(),
        usual.openFilesMax(),
        1L << 30,
        diskFreeMinBytes,
        10_000,
        usual.reads(),
        usual.scans(),
        usual.writes(),
        usual.reclaim());
  }

  static RocksSettings with(RocksSettings usual, RocksSettings.WriteLimits writes) {
    return with(usual, usual.scans(), writes, usual.reclaim());
  }

  static RocksSettings with(RocksSettings usual, RocksSettings.ReadLimits scans) {
    return with(usual, scans, usual.writes(), usual.reclaim());
  }

  static RocksSettings with(RocksSettings usual, RocksSettings.Reclaim reclaim) {
    return with(usual, usual.scans(), usual.writes(), reclaim);
  }

  private static RocksSettings with(
      RocksSettings usual,
      RocksSettings.ReadLimits scans,
      RocksSettings.WriteLimits writes,
      RocksSettings.Reclaim reclaim) {
    return new RocksSettings(
        usual.directory(),
        usual.durability(),
        usual.syncInterval(),
        usual.closeTimeout(),
        usual.memoryBytes(),
        usual.walBytesMax(),
        usual.openFilesMax(),
        usual.compactionBytesPerSecondMax(),
        usual.diskFreeMinBytes(),
        usual.hintBytesMax(),
        usual.reads(),
        scans,
        writes,
        reclaim);
  }

  static RocksStore open(Path directory) {
    return open(settings(directory));
  }

  static RocksStore open(RocksSettings settings) {
    return open(settings, damage -> {});
  }

  static RocksStore open(RocksSettings settings, Consumer<String> onDamage) {
    return RocksStore.open(
        settings, CommitProbe.NONE, () -> 1 << 20, new ChecksumVerifier(), onDamage);
  }

  static Versioned live(long stamp, String value) {
    return Versioned.live(
        new Version(stamp, 1), Versioned.NEVER, 3, value.getBytes(StandardCharsets.UTF_8));
  }

  static Versioned tombstone(long stamp) {
    return Versioned.tombstone(new Version(stamp, 1), 3);
  }

  static Mutation put(String key, long stamp, String value) {
    return new Mutation(Key.of(key), live(stamp, value));
  }

  static CompletableFuture<Applied> applying(Store store, Mutation mutation) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.apply(mutation, INLINE, answer::complete);
    return answer;
  }

  static Applied apply(Store store, Mutation mutation) {
    return await(applying(store, mutation));
  }

  static Lookup read(Store store, String key) {
    return read(store, key, Store.Detail.RECORD);
  }

  static Lookup read(Store store, String key, Store.Detail detail) {
    CompletableFuture<Lookup> answer = new CompletableFuture<>();
    store.read(Key.of(key), detail, INLINE, answer::complete);
    return await(answer);
  }

  static Applied adopt(Store store, Mutation mutation) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.adopt(mutation, INLINE, answer::complete);
    return await(answer);
  }

  static CompletableFuture<Applied> restoring(Store store, Mutation mutation) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.restore(mutation, INLINE, answer::complete);
    return answer;
  }

  static CompletableFuture<Applied> entombing(Store store, String key, long stamp) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.entomb(Key.of(key), new Version(stamp, 1), INLINE, answer::complete);
    return answer;
  }

  static CompletableFuture<Applied> removing(Store store, String key, long stamp) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.remove(Key.of(key), new Version(stamp, 1), INLINE, answer::complete);
    return answer;
  }

  static Applied keepMark(MarkStore store, String name, long number) {
    CompletableFuture<Applied> answer = new CompletableFuture<>();
    store.keepMark(name, number, INLINE, answer::complete);
    return await(answer);
  }

  static Scanned scan(Store store, KeyRange range, Store.Detail detail, ScanLimits limits) {
    CompletableFuture<Scanned> answer = new CompletableFuture<>();
    store.scan(range, detail, limits, INLINE, answer::complete);
    return await(answer);
  }

  static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  static void awaitUntil(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** A loop that runs what it was given when the test says so. */
  static final class HeldLoop implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    int tasks() {
      return tasks.size();
    }

    /** Runs one task, waiting for it to be given. */
    void runNext() {
      try {
        Runnable task = tasks.poll(20, TimeUnit.SECONDS);
        assertThat(task).as("a task for the loop").isNotNull();
        task.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A loop on which the writer thread stops until it is let go: what comes meanwhile queues. */
  static final class Barrier implements Executor {
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();

    @Override
    public void execute(Runnable task) {
      task.run();
      reached.complete(true);
      await(open);
    }

    /** Waits until a thread is held here. */
    void awaitReached() {
      await(reached);
    }

    /** Makes the writer thread stop behind this write. */
    void stopAt(Store store, Mutation mutation) {
      store.apply(mutation, this, answer -> {});
      await(reached);
    }

    void letGo() {
      open.complete(true);
    }
  }
}
