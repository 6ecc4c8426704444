package dev.kvorum.simulation;

import dev.kvorum.rpc.VirtualLoop;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One thread of one process: a view of virtual time that dies with its process, and while the
 * process is stopped holds back what becomes due.
 */
final class NodeLoop extends AbstractExecutorService implements ScheduledExecutorService {
  private final VirtualLoop time;
  private final Consumer<RuntimeException> onFailure;
  private final ArrayDeque<Timer> held = new ArrayDeque<>();
  private boolean stopped;
  private boolean dead;

  /**
   * A thread that runs.
   *
   * @param onFailure receives what a task threw
   */
  NodeLoop(VirtualLoop time, Consumer<RuntimeException> onFailure) {
    this.time = time;
    this.onFailure = onFailure;
  }

  /** Nothing runs any more. */
  void kill() {
    dead = true;
    held.clear();
  }

  boolean isDead() {
    return dead;
  }

  /** From now on what becomes due waits. */
  void stop() {
    stopped = true;
  }

  /** What has waited runs now, late, in its order. */
  void goOn() {
    stopped = false;
    while (!held.isEmpty() && !dead && !stopped) {
      held.removeFirst().due();
    }
  }

  @Override
  public void execute(Runnable command) {
    new Timer(command, 0).arm(0);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Timer timer = new Timer(command, 0);
    timer.arm(unit.toNanos(delay));
    return timer;
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    Timer timer = new Timer(command, unit.toNanos(delay));
    timer.arm(unit.toNanos(initialDelay));
    return timer;
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
  public void shutdown() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Runnable> shutdownNow() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isShutdown() {
    return dead;
  }

  @Override
  public boolean isTerminated() {
    return dead;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return dead;
  }

  private final class Timer extends FutureTask<Object> implements ScheduledFuture<Object> {
    private final Runnable command;
    private final long periodNanos;
    private long dueNanos;

    @SuppressWarnings("NullAway") // a runnable has no result
    Timer(Runnable command, long periodNanos) {
      super(command, null);
      this.command = command;
      this.periodNanos = periodNanos;
    }

    void arm(long delayNanos) {
      dueNanos = time.nanoTime() + delayNanos;
      if (!dead) {
        time.schedule(this::due, delayNanos, TimeUnit.NANOSECONDS);
      }
    }

    void due() {
      if (dead || isCancelled()) {
        return;
      }
      if (stopped) {
        held.addLast(this);
        return;
      }
      try {
        command.run();
      } catch (RuntimeException e) {
        onFailure.accept(e);
        return;
      }
      if (periodNanos > 0) {
        arm(periodNanos);
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - time.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
