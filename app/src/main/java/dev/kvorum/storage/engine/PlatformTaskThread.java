package dev.kvorum.storage.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A daemon thread. */
public final class PlatformTaskThread implements TaskThread {
  private static final Logger log = LoggerFactory.getLogger(PlatformTaskThread.class);

  private final ScheduledExecutorService thread;

  public PlatformTaskThread(String name) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
  }

  @Override
  public void execute(Runnable task) {
    thread.execute(task);
  }

  @Override
  public void runNow(Runnable task) {
    CompletableFuture.runAsync(task, thread).join();
  }

  @Override
  public void every(Duration pause, Runnable task) {
    ScheduledFuture<?> untilShutdown =
        thread.scheduleWithFixedDelay(
            () -> runSafely(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    assert !untilShutdown.isCancelled();
  }

  /** A periodic task that throws is not run again. */
  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      log.error("A periodic task of the store failed", e);
    }
  }

  @Override
  public void shutdown() {
    thread.shutdown();
  }

  @Override
  public void close() {
    thread.close();
  }
}
