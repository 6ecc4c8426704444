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

/** A bounded pool of threads for questions that have to wait for the disk. */
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
            // No exception for a full queue: it is full when there is no time for one.
            (task, full) -> ((Question<?>) task).refuse(full.isShutdown()));
  }

  /**
   * Asks on a thread of the pool; answers at once when there is no room.
   *
   * @param ask gives the answer; blocks as long as the disk does
   * @param refused the answer when it is not asked
   * @param loop where the answer is given
   */
  <T> void ask(
      Supplier<T> ask, Function<RejectReason, T> refused, Executor loop, Waiter<T> waiter) {
    pool.execute(new Question<>(ask, refused, loop, waiter, failures));
  }

  int queued() {
    return waiting.size();
  }

  /** Refuses what waits and stops the threads; false when one of them still reads. */
  boolean close(Duration timeout) {
    for (Runnable unasked : pool.shutdownNow()) {
      ((Question<?>) unasked).end();
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What waits for a thread, and where to send the result. */
  private record Question<T>(
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
      } catch (RuntimeException e) {
        // Whoever waits is owed an answer all the same.
        failures.note("a read ended unexpectedly", e);
        answer = refused.apply(RejectReason.STORAGE_FAILED);
      }
      give(answer);
    }

    private void give(T answer) {
      try {
        loop.execute(() -> waiter.answer(answer));
      } catch (RejectedExecutionException e) {
        // The loop has ended with all its waiters.
        return;
      }
    }

    /** Answers what will never be asked. */
    void end() {
      give(refused.apply(RejectReason.STORAGE_FAILED));
    }

    /** Called on the asker's own thread. */
    void refuse(boolean closed) {
      waiter.answer(refused.apply(closed ? RejectReason.STORAGE_FAILED : RejectReason.OVERLOADED));
    }
  }
}
