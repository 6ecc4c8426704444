package dev.kvorum.virtualtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event loop in virtual time: nothing runs and no time passes unless the test advances it. Its
 * monotone clock begins shortly before it overflows, as {@link System#nanoTime} may.
 *
 * <p>Several loops can share one timeline, one for each thread of each process. Tasks run in the
 * order of their due times, and at equal times in the order in which they were scheduled.
 */
public final class VirtualLoop extends AbstractExecutorService implements ScheduledExecutorService {
  private static final long START_NANOS = Long.MAX_VALUE - 2_000_000_000L;
  private static final long START_MILLIS = 1_800_000_000_000L;

  private final Timeline timeline;
  private final Consumer<RuntimeException> onFailure;
  private final ArrayDeque<Task> held = new ArrayDeque<>();
  private boolean stopped;
  private boolean dead;

  /** The time and the tasks of all loops that share it. */
  private static final class Timeline {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Task::compareOrder);
    private long elapsedNanos;
    private long scheduled;
    private @Nullable VirtualLoop running;

    void add(Task task, long delayNanos) {
      task.dueNanos = elapsedNanos + Math.max(0, delayNanos);
      task.number = scheduled++;
      tasks.add(task);
    }

    /** The next task that will have an effect. */
    @Nullable Task peek() {
      Task next = tasks.peek();
      while (next != null && next.isObsolete()) {
        tasks.remove();
        next = tasks.peek();
      }
      return next;
    }
  }

  /** A loop with a timeline of its own; what a task throws leaves {@link #advance}. */
  public VirtualLoop() {
    this(
        new Timeline(),
        failure -> {
          throw failure;
        });
  }

  private VirtualLoop(Timeline timeline, Consumer<RuntimeException> onFailure) {
    this.timeline = timeline;
    this.onFailure = onFailure;
  }

  /**
   * Another loop on the same timeline.
   *
   * @param onFailure receives what a task throws; a periodic task that throws ends
   */
  public VirtualLoop another(Consumer<RuntimeException> onFailure) {
    return new VirtualLoop(timeline, onFailure);
  }

  /** Another loop on the same timeline that handles failures as this one does. */
  public VirtualLoop another() {
    return another(onFailure);
  }

  /** The monotone clock. */
  public long nanoTime() {
    return START_NANOS + timeline.elapsedNanos;
  }

  /** A wall clock that is wrong by a constant. */
  public InstantSource wallClock(long skewMillis) {
    return () ->
        Instant.ofEpochMilli(START_MILLIS + skewMillis + timeline.elapsedNanos / 1_000_000);
  }

  /** Runs what is due now on all loops, and what that makes due. */
  public void runReady() {
    advance(Duration.ZERO);
  }

  /** Lets time pass on all loops; each task runs at its due time. */
  public void advance(Duration time) {
    long end = timeline.elapsedNanos + time.toNanos();
    Task next = timeline.peek();
    while (next != null && next.dueNanos <= end) {
      runNext();
      next = timeline.peek();
    }
    timeline.elapsedNanos = end;
  }

  /** Jumps to the next task of all loops and runs it; false when there is none. */
  public boolean runNext() {
    Task next = timeline.peek();
    if (next == null) {
      return false;
    }
    timeline.tasks.remove();
    timeline.elapsedNanos = Math.max(timeline.elapsedNanos, next.dueNanos);
    next.runOrHold();
    return true;
  }

  /** The process dies: none of its tasks runs from now on. */
  public void kill() {
    dead = true;
    held.clear();
  }

  public boolean isDead() {
    return dead;
  }

  /** The process is suspended: tasks that become due wait for {@link #resume}. */
  public void stop() {
    stopped = true;
  }

  /** Runs the tasks that became due meanwhile, in their order. */
  public void resume() {
    stopped = false;
    while (!held.isEmpty() && !dead && !stopped) {
      held.removeFirst().runOrHold();
    }
  }

  public boolean isRunning() {
    return !dead && !stopped;
  }

  /** Whether this loop's task is running, or none of any loop: then the test itself calls. */
  public boolean inEventLoop() {
    return timeline.running == null || timeline.running.equals(this);
  }

  /** Runs a task at once; of a suspended process, when it resumes. */
  public void run(Runnable command) {
    new Task(command, 0).runOrHold();
  }

  @Override
  public void execute(Runnable command) {
    schedule(command, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(new Task(command, 0), unit.toNanos(delay));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return add(new Task(command, unit.toNanos(delay)), unit.toNanos(initialDelay));
  }

  private Task add(Task task, long delayNanos) {
    if (!dead) {
      timeline.add(task, delayNanos);
    }
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

  private final class Task extends FutureTask<Object> implements ScheduledFuture<Object> {
    private final Runnable command;
    private final long periodNanos;
    private long dueNanos;
    private long number;

    @SuppressWarnings("NullAway") // a runnable has no result
    Task(Runnable command, long periodNanos) {
      super(command, null);
      this.command = command;
      this.periodNanos = periodNanos;
    }

    /** By hand: composed comparators took a sixth of a long test. */
    int compareOrder(Task other) {
      int order = Long.compare(dueNanos, other.dueNanos);
      return order != 0 ? order : Long.compare(number, other.number);
    }

    boolean isObsolete() {
      return dead || isCancelled();
    }

    void runOrHold() {
      if (isObsolete()) {
        return;
      }
      if (stopped) {
        held.addLast(this);
        return;
      }
      VirtualLoop outer = timeline.running;
      timeline.running = VirtualLoop.this;
      try {
        // Not as a future, which would swallow what the command throws.
        command.run();
      } catch (RuntimeException e) {
        onFailure.accept(e);
        return;
      } finally {
        timeline.running = outer;
      }
      if (periodNanos > 0 && !isCancelled()) {
        add(this, periodNanos);
      }
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - timeline.elapsedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
