package dev.kvorum.deadlines;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What must end within one and the same time, in the order in which it began: one timer for all,
 * set for the oldest. Most end long before, so a timer for each would be set for nothing. Confined
 * to an event loop.
 */
public final class DeadlineQueue {
  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final Timer timer;
  private final Entry ends =
      new Entry() {
        @Override
        protected void expired() {
          throw new IllegalStateException("the ends of the queue never expire");
        }
      };
  private boolean isArmed;

  /** Runs a task later on the event loop. */
  public interface Timer {
    /** As {@link java.util.concurrent.ScheduledExecutorService#schedule}. */
    void schedule(Runnable task, long delay, TimeUnit unit);
  }

  /** Something that must end in time; in one queue at most. */
  public abstract static class Entry {
    private long dueNanos;
    private Entry before = this;
    private Entry after = this;

    /** It did not end in time. It is not in the queue any longer. */
    protected abstract void expired();

    /** Returns whether it is in a queue. */
    @SuppressWarnings("ReferenceEquality") // alone, it is its own neighbour
    protected final boolean isQueued() {
      return after != this;
    }

    /** Takes it out of its queue, if it is in one. */
    protected final void leaveQueue() {
      before.after = after;
      after.before = before;
      before = this;
      after = this;
    }
  }

  /**
   * Creates an empty queue.
   *
   * @param timeoutNanos time for each entry, in nanoseconds
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public DeadlineQueue(long timeoutNanos, LongSupplier nanoTime, Timer timer) {
    this.timeoutNanos = timeoutNanos;
    this.nanoTime = nanoTime;
    this.timer = timer;
  }

  /** Adds what begins now and is in no queue. */
  public void add(Entry entry) {
    entry.dueNanos = nanoTime.getAsLong() + timeoutNanos;
    entry.before = ends.before;
    entry.after = ends;
    ends.before.after = entry;
    ends.before = entry;
    if (!isArmed) {
      arm(timeoutNanos);
    }
  }

  private void arm(long delayNanos) {
    isArmed = true;
    timer.schedule(this::sweep, delayNanos, TimeUnit.NANOSECONDS);
  }

  @SuppressWarnings("ReferenceEquality") // where the queue ends
  private void sweep() {
    long now = nanoTime.getAsLong();
    try {
      for (Entry oldest = ends.after;
          oldest != ends && oldest.dueNanos - now <= 0;
          oldest = ends.after) {
        oldest.leaveQueue();
        oldest.expired();
      }
    } finally {
      // Only here: what is added meanwhile is due later than what remains.
      isArmed = false;
      if (ends.isQueued()) {
        arm(ends.after.dueNanos - now);
      }
    }
  }
}
