package dev.kvorum.storage;

import dev.kvorum.data.Refusal;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** A bounded pool of threads for questions that have to wait for the disk. */
final class DiskPool {
  private final FailureLog failures;
  private final ThreadPoolExecutor pool;

  DiskPool(String name, RocksSettings.ReadLimits limits, FailureLog failures) {
    this.failures = failures;
    this.pool =
        new ThreadPoolExecutor(
            limits.threads(),
            limits.threads(),
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(limits.queueMax()),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory(),
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
  <T> void ask(Supplier<T> ask, Function<Refusal, T> refused, Executor loop, Waiter<T> waiter) {
    pool.execute(new Question<>(ask, refused, loop, waiter, failures));
  }

  int queued() {
    return pool.getQueue().size();
  }

  /** Refuses what waits and stops the threads; false when one of them still reads. */
  boolean close(Duration timeout) {
    for (Runnable waiting : pool.shutdownNow()) {
      ((Question<?>) waiting).end();
    }
    try {
      return pool.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** What waits for a thread, and whom to tell the answer. */
  private record Question<T>(
      Supplier<T> ask,
      Function<Refusal, T> refused,
      Executor loop,
      Waiter<T> waiter,
      FailureLog failures)
      implements Runnable {
    @Override
    public void run() {
      T answer;
      try {
        answer = waiter.isWaiting() ? ask.get() : refused.apply(Refusal.EXPIRED);
      } catch (RuntimeException e) {
        // Whoever waits is owed an answer all the same.
        failures.note("a read ended unexpectedly", e);
        answer = refused.apply(Refusal.STORAGE_FAILED);
      }
      give(answer);
    }

    private void give(T answer) {
      try {
        loop.execute(() -> waiter.answer(answer));
      } catch (RejectedExecutionException e) {
        // The loop has ended, and with it whoever waited.
        return;
      }
    }

    /** Answers what will never be asked. */
    void end() {
      give(refused.apply(Refusal.STORAGE_FAILED));
    }

    /** Called on the asker's own thread. */
    void refuse(boolean closed) {
      waiter.answer(refused.apply(closed ? Refusal.STORAGE_FAILED : Refusal.OVERLOADED));
    }
  }
}
