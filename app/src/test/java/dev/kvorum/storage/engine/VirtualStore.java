package dev.kvorum.storage.engine;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.CommitListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The store of a node in virtual time: one loop takes the place of all its threads. */
public final class VirtualStore implements StoreThreads {
  /** How long a disk takes. */
  public interface Delays {
    /** For a batch, microseconds. */
    long commitMicros(boolean needsSync);

    /** For a read or a page of a scan, microseconds. */
    long readMicros();
  }

  private final ScheduledExecutorService loop;
  private final Delays delays;

  private VirtualStore(ScheduledExecutorService loop, Delays delays) {
    this.loop = loop;
    this.delays = delays;
  }

  /** A running store on an engine. */
  public static RecordStore open(
      Engine engine,
      StoreSettings settings,
      LongSupplier freeBytes,
      ChecksumVerifier verifier,
      Consumer<String> onCorruption,
      ScheduledExecutorService loop,
      Delays delays) {
    return RecordStore.on(
        engine,
        settings,
        new StoreProbes(CommitListener.NONE, freeBytes, verifier),
        onCorruption,
        new VirtualStore(loop, delays));
  }

  @Override
  public CommitQueue commits(CommitQueue.Batches batches, int queueMax, FailureLog failures) {
    return new Commits(batches, queueMax);
  }

  @Override
  public ExecutorService pool(
      String name,
      int threads,
      BlockingQueue<Runnable> waiting,
      RejectedExecutionHandler rejected) {
    return new Readers();
  }

  /** Small, so that versions are replaced by others. */
  @Override
  public VersionCache versionCache(long bytes) {
    return VersionCache.onHeap(1024, new SplittableRandom(1));
  }

  /** Reads take their time before they run. */
  @Override
  public long nanoTime() {
    return 0;
  }

  @Override
  public StoreTimer timer(String name, FailureLog failures) {
    return new Timer();
  }

  private static void ignore(ScheduledFuture<?> scheduled) {
    assert !scheduled.isCancelled();
  }

  /** A batch is filled when it begins and written when its time has passed. */
  private final class Commits implements CommitQueue {
    private final Batches batches;
    private final int queueMax;
    private final ArrayDeque<WriteOp> queue = new ArrayDeque<>();
    private boolean isUnderWay;
    private boolean isClosed;

    Commits(Batches batches, int queueMax) {
      this.batches = batches;
      this.queueMax = queueMax;
    }

    @Override
    public void start() {}

    @Override
    public boolean offer(WriteOp op) {
      if (queue.size() >= queueMax) {
        return false;
      }
      queue.add(op);
      beginIfIdle();
      return true;
    }

    private void beginIfIdle() {
      if (!isUnderWay && !queue.isEmpty()) {
        isUnderWay = true;
        fill();
        long micros = delays.commitMicros(batches.needsSync());
        ignore(loop.schedule(this::finish, micros, TimeUnit.MICROSECONDS));
      }
    }

    private void fill() {
      boolean hasRoom = true;
      while (hasRoom && !queue.isEmpty()) {
        hasRoom = batches.add(queue.remove());
      }
    }

    private void finish() {
      if (!isClosed) {
        isUnderWay = false;
        batches.commit();
        beginIfIdle();
      }
    }

    @Override
    public int queued() {
      return queue.size();
    }

    /** An error ends the run instead. */
    @Override
    public boolean isBroken() {
      return false;
    }

    @Override
    public boolean close(Duration timeout) {
      isClosed = true;
      batches.commit();
      while (!queue.isEmpty()) {
        fill();
        batches.commit();
      }
      return true;
    }
  }

  /** Reads that wait when it is shut down find a closed gate. */
  private final class Readers extends ThreadlessPool {
    @Override
    public void execute(Runnable read) {
      ignore(loop.schedule(read, delays.readMicros(), TimeUnit.MICROSECONDS));
    }
  }

  private final class Timer implements StoreTimer {
    private boolean isClosed;

    @Override
    public void every(Duration pause, Runnable task) {
      Runnable unlessClosed =
          () -> {
            if (!isClosed) {
              task.run();
            }
          };
      long nanos = pause.toNanos();
      ignore(loop.scheduleWithFixedDelay(unlessClosed, nanos, nanos, TimeUnit.NANOSECONDS));
    }

    @Override
    public boolean close(Duration timeout) {
      isClosed = true;
      return true;
    }
  }
}
