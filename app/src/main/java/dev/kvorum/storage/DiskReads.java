package dev.kvorum.storage;

import dev.kvorum.data.Key;
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
  private final ThreadPoolExecutor pool;

  DiskReads(RecordReads reads, RocksSettings.ReadLimits limits) {
    this.reads = reads;
    this.pool =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.queueMax()),
            Thread.ofPlatform().daemon().name("kvorum-read-", 0).factory(),
            // No exception for a full queue: it is full when there is no time for one.
            (task, full) -> ((DiskRead) task).refuse(full.isShutdown()));
  }

  /** Reads on a thread of the pool; answers at once when there is no room. */
  void read(Key key, Store.Detail detail, Executor loop, Waiter<Lookup> waiter) {
    pool.execute(new DiskRead(key, detail, loop, waiter));
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
      ((DiskRead) waiting).answer(RecordReads.FAILED);
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private final class DiskRead implements Runnable {
    private final Key key;
    private final Store.Detail detail;
    private final Executor loop;
    private final Waiter<Lookup> waiter;

    DiskRead(Key key, Store.Detail detail, Executor loop, Waiter<Lookup> waiter) {
      this.key = key;
      this.detail = detail;
      this.loop = loop;
      this.waiter = waiter;
    }

    @Override
    public void run() {
      answer(
          waiter.isWaiting() ? reads.fromDisk(key, detail) : new Lookup.Unknown(Refusal.EXPIRED));
    }

    void answer(Lookup answer) {
      try {
        loop.execute(() -> waiter.answer(answer));
      } catch (RejectedExecutionException e) {
        // The loop has ended, and with it whoever waited.
        return;
      }
    }

    /** Called on the reader's own thread. */
    void refuse(boolean closed) {
      waiter.answer(closed ? RecordReads.FAILED : new Lookup.Unknown(Refusal.OVERLOADED));
    }
  }
}
