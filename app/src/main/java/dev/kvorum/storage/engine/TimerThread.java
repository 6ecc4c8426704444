package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A thread for the store's periodic tasks; a task that fails, also with an error, is run again: it
 * depends on nothing that a run leaves behind.
 */
final class TimerThread implements StoreTimer {
  private final FailureLog failures;
  private final ScheduledExecutorService timer;

  TimerThread(String threadName, FailureLog failures) {
    this.failures = failures;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(threadName).factory());
  }

  @Override
  public void every(Duration pause, Runnable task) {
    ScheduledFuture<?> untilClosed =
        timer.scheduleWithFixedDelay(
            () -> run(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    assert !untilClosed.isCancelled();
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      failures.note("a timed task failed", e);
    }
  }

  @Override
  public boolean close(Duration timeout) {
    timer.shutdown();
    try {
      return timer.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
