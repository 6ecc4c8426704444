package dev.kvorum.rpc;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * An event loop in virtual time: nothing runs and no time passes unless the test advances it. Its
 * monotone clock begins shortly before it overflows, as {@link System#nanoTime} may.
 */
public final class VirtualLoop extends AbstractExecutorService implements ScheduledExecutorService {
  private static final long START_NANOS = Long.MAX_VALUE - 2_000_000_000L;
  private static final long START_MILLIS = 1_800_000_000_000L;

  private final PriorityQueue<Task<?>> tasks =
      new PriorityQueue<>(
          Comparator.<Task<?>>comparingLong(task -> task.dueNanos)
              .thenComparingLong(task -> task.number));
  private long elapsedNanos;
  private long scheduled;

  /** The monotone clock. */
  public long nanoTime() {
    return START_NANOS + elapsedNanos;
  }

  /** A wall clock that goes wrong by a constant. */
  public InstantSource wallClock(long skewMillis) {
    return () -> Instant.ofEpochMilli(START_MILLIS + skewMillis + elapsedNanos / 1_000_000);
  }

  /** Runs what is due now, and what that makes due. */
  public void runReady() {
    advance(Duration.ZERO);
  }

  /** Lets time pass; everything runs at its own moment. */
  public void advance(Duration time) {
    long end = elapsedNanos + time.toNanos();
    Task<?> next = tasks.peek();
    while (next != null && next.dueNanos <= end) {
      runNext();
      next = tasks.peek();
    }
    elapsedNanos = end;
  }

  /** Jumps to the next task and runs it; false when there is none. */
  public boolean runNext() {
    Task<?> next = tasks.poll();
    if (next == null) {
      return false;
    }
    elapsedNanos = Math.max(elapsedNanos, next.dueNanos);
    next.runOnce();
    return true;
  }

  @Override
  public void execute(Runnable command) {
    schedule(command, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(new Task<>(command, elapsedNanos + Math.max(0, unit.toNanos(delay)), 0));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    long due = elapsedNanos + unit.toNanos(initialDelay);
    return add(new Task<>(command, due, unit.toNanos(delay)));
  }

  private <T> Task<T> add(Task<T> task) {
    tasks.add(task);
    return task;
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  private final class Task<T> extends FutureTask<T> implements ScheduledFuture<T> {
    private final long periodNanos;
    private final long number = scheduled++;
    private final Runnable command;
    private long dueNanos;

    @SuppressWarnings("NullAway") // a runnable has no result
    Task(Runnable command, long dueNanos, long periodNanos) {
      super(command, null);
      this.command = command;
      this.dueNanos = dueNanos;
      this.periodNanos = periodNanos;
    }

    void runOnce() {
      if (isCancelled()) {
        return;
      }
      // Not as a future, which would swallow what the command throws.
      command.run();
      if (periodNanos > 0) {
        dueNanos = elapsedNanos + periodNanos;
        tasks.add(this);
      }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      tasks.remove(this);
      return super.cancel(false);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - elapsedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
