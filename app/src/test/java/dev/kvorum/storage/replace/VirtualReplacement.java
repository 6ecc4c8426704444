package dev.kvorum.storage.replace;

import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.TaskThread;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A replaceable store in virtual time: one loop takes the place of all its threads. */
public final class VirtualReplacement implements ReplacementThreads {
  private final VirtualLoop loop;
  private final LongSupplier taskMicros;

  private VirtualReplacement(VirtualLoop loop, LongSupplier taskMicros) {
    this.loop = loop;
    this.taskMicros = taskMicros;
  }

  /**
   * Opens a store.
   *
   * @param taskMicros how long a task takes, as reading a page of a corrupted store: microseconds
   */
  public static ReplaceableStore open(
      StoreDisk disk,
      Supplier<OnCorruption> onCorruption,
      VirtualLoop loop,
      LongSupplier taskMicros) {
    return ReplaceableStore.open(
        disk, onCorruption, ReopenBackoff.FIRST, new VirtualReplacement(loop, taskMicros));
  }

  /**
   * Closes the current store and opens it again.
   *
   * @param change of the disk, once nothing of the closed store is under way
   */
  public static void reopen(ReplaceableStore store, Runnable change) {
    ((RecordStore) store.delegate()).close();
    change.run();
    store.openAgain();
  }

  @Override
  public TaskThread start(String name) {
    return new VirtualTasks();
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  private static void ignore(ScheduledFuture<?> scheduled) {
    assert !scheduled.isCancelled();
  }

  private final class VirtualTasks implements TaskThread {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean isShutdown;

    @Override
    public void execute(Runnable task) {
      if (isShutdown) {
        throw new RejectedExecutionException();
      }
      waiting.add(task);
      if (waiting.size() == 1) {
        later();
      }
    }

    private void later() {
      ignore(loop.schedule(this::next, taskMicros.getAsLong(), TimeUnit.MICROSECONDS));
    }

    private void next() {
      Runnable task = waiting.poll();
      if (task == null) {
        return;
      }
      if (!waiting.isEmpty()) {
        later();
      }
      task.run();
    }

    /** After all that wait, as in a thread. */
    @Override
    public void runNow(Runnable task) {
      while (!waiting.isEmpty()) {
        waiting.remove().run();
      }
      task.run();
    }

    @Override
    public void every(Duration pause, Runnable task) {
      Runnable unlessShutdown =
          () -> {
            if (!isShutdown) {
              task.run();
            }
          };
      long nanos = pause.toNanos();
      ignore(loop.scheduleWithFixedDelay(unlessShutdown, nanos, nanos, TimeUnit.NANOSECONDS));
    }

    @Override
    public void shutdown() {
      isShutdown = true;
    }

    @Override
    public void close() {
      shutdown();
    }
  }
}
