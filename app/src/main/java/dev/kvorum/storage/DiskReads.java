package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Refusal;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The bounded pool of threads for reads that have to wait for the disk. */
final class DiskReads {
  private final RecordReads reads;
  private final RecordScan scans;
  private final ThreadPoolExecutor pool;

  DiskReads(RecordReads reads, RecordScan scans, RocksSettings.ReadLimits limits) {
    this.reads = reads;
    this.scans = scans;
    this.pool =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.queueMax()),
            Thread.ofPlatform().daemon().name("kvorum-read-", 0).factory(),
            // No exception for a full queue: it is full when there is no time for one.
            (task, full) -> ((Task<?>) task).refuse(full.isShutdown()));
  }

  /** Reads on a thread of the pool; answers at once when there is no room. */
  void read(Key key, Store.Detail detail, Executor loop, Waiter<Lookup> waiter) {
    pool.execute(new DiskRead(key, detail, loop, waiter));
  }

  /** Scans on a thread of the pool; answers at once when there is no room. */
  void scan(
      KeyRange range,
      Store.Detail detail,
      ScanLimits limits,
      Executor loop,
      Waiter<Scanned> waiter) {
    pool.execute(new DiskScan(range, detail, limits, loop, waiter));
  }

  int queued() {
    return pool.getQueue().size();
  }

  long completed() {
    return pool.getCompletedTaskCount();
  }

  /** Refuses what waits and stops the threads; false when one of them still reads. */
  boolean close(Duration timeout) {
    for (Runnable waiting : pool.shutdownNow()) {
      ((Task<?>) waiting).end();
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What waits for a thread: one question, and whom to tell the answer. */
  private abstract static class Task<T> implements Runnable {
    private final Executor loop;
    private final Waiter<T> waiter;

    Task(Executor loop, Waiter<T> waiter) {
      this.loop = loop;
      this.waiter = waiter;
    }

    /** The answer; blocks as long as the disk does. */
    abstract T ask();

    abstract T refused(Refusal reason);

    @Override
    public void run() {
      answer(waiter.isWaiting() ? ask() : refused(Refusal.EXPIRED));
    }

    void answer(T answer) {
      try {
        loop.execute(() -> waiter.answer(answer));
      } catch (RejectedExecutionException e) {
        // The loop has ended, and with it whoever waited.
        return;
      }
    }

    /** Answers what will never be asked. */
    void end() {
      answer(refused(Refusal.STORAGE_FAILED));
    }

    /** Called on the reader's own thread. */
    void refuse(boolean closed) {
      waiter.answer(refused(closed ? Refusal.STORAGE_FAILED : Refusal.OVERLOADED));
    }
  }

  private final class DiskRead extends Task<Lookup> {
    private final Key key;
    private final Store.Detail detail;

    DiskRead(Key key, Store.Detail detail, Executor loop, Waiter<Lookup> waiter) {
      super(loop, waiter);
      this.key = key;
      this.detail = detail;
    }

    @Override
    Lookup ask() {
      return reads.fromDisk(key, detail);
    }

    @Override
    Lookup refused(Refusal reason) {
      return new Lookup.Unknown(reason);
    }
  }

  private final class DiskScan extends Task<Scanned> {
    private final KeyRange range;
    private final Store.Detail detail;
    private final ScanLimits limits;

    DiskScan(
        KeyRange range,
        Store.Detail detail,
        ScanLimits limits,
        Executor loop,
        Waiter<Scanned> waiter) {
      super(loop, waiter);
      this.range = range;
      this.detail = detail;
      this.limits = limits;
    }

    @Override
    Scanned ask() {
      return scans.page(range, detail, limits);
    }

    @Override
    Scanned refused(Refusal reason) {
      return new Scanned.Unknown(reason);
    }
  }
}
