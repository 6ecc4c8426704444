package dev.kvorum.storage.engine;

import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.Waiter;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A bounded thread pool for reads that wait for the disk. */
final class DiskPool {
  private final FailureLog failures;
  private final BlockingQueue<Runnable> waiting;
  private final ExecutorService pool;

  static DiskPool reads(StorageSettings settings, FailureLog failures, StoreThreads threads) {
    return new DiskPool(
        "kvorum-read", settings.readThreads(), settings.readQueueMax(), failures, threads);
  }

  static DiskPool scans(StorageSettings settings, FailureLog failures, StoreThreads threads) {
    return new DiskPool(
        "kvorum-scan", settings.scanThreads(), settings.scanQueueMax(), failures, threads);
  }

  private DiskPool(String name, int size, int queueMax, FailureLog failures, StoreThreads threads) {
    this.failures = failures;
    this.waiting = new ArrayBlockingQueue<>(queueMax);
    this.pool =
        threads.pool(
            name,
            size,
            waiting,
            // Rejects without an exception, whose cost would add to the overload.
            (task, full) -> ((PendingRead<?>) task).refuse(full.isShutdown()));
  }

  /**
   * Runs a read on a thread of the pool. Replies at once when the queue is full.
   *
   * @param ask returns the reply; blocks as long as the disk does
   * @param refused the reply if the read does not run
   * @param loop executor of the reply
   */
  <T> void ask(
      Supplier<T> ask, Function<RejectReason, T> refused, Executor loop, Waiter<T> waiter) {
    pool.execute(new PendingRead<>(ask, refused, loop, waiter, failures));
  }

  int queued() {
    return waiting.size();
  }

  /** Rejects queued reads and stops the threads; returns false if one of them still reads. */
  boolean close(Duration timeout) {
    for (Runnable unasked : pool.shutdownNow()) {
      ((PendingRead<?>) unasked).end();
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A queued read and the receiver of its reply. */
  private record PendingRead<T>(
      Supplier<T> ask,
      Function<RejectReason, T> refused,
      Executor loop,
      Waiter<T> waiter,
      FailureLog failures)
      implements Runnable {
    @Override
    public void run() {
      T answer;
      try {
        answer = waiter.isWaiting() ? ask.get() : refused.apply(RejectReason.EXPIRED);
      } catch (RuntimeException | Error e) {
        // The waiter still needs a reply.
        failures.note("a read ended unexpectedly", e);
        answer = refused.apply(RejectReason.STORAGE_FAILED);
      }
      give(answer);
    }

    private void give(T answer) {
      try {
        loop.execute(() -> waiter.answer(answer));
      } catch (RejectedExecutionException e) {
        // The event loop has ended with all its waiters.
        return;
      }
    }

    /** Replies to a read that will never run. */
    void end() {
      give(refused.apply(RejectReason.STORAGE_FAILED));
    }

    /** Called on the caller's own thread. */
    void refuse(boolean closed) {
      waiter.answer(refused.apply(closed ? RejectReason.STORAGE_FAILED : RejectReason.OVERLOADED));
    }
  }
}
