package dev.kvorum.http.request;

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
        void expired() {
          throw new IllegalStateException("the ends of the queue never expire");
        }
      };
  private boolean isArmed;

  /** Runs a task later on the event loop. */
  public interface Timer {
    /** As {@link java.util.concurrent.ScheduledExecutorService#schedule}. */
    void schedule(Runnable task, long delay, TimeUnit unit);
  }

  /** Something that must end in time. */
  abstract static class Entry {
    private long dueNanos;
    private Entry before = this;
    private Entry after = this;

    /** It did not end in time. It is not in the queue any longer. */
    abstract void expired();

    /** Takes it out of its queue, if it is in one. */
    final void remove() {
      before.after = after;
      after.before = before;
      before = this;
      after = this;
    }
  }

  public DeadlineQueue(long timeoutNanos, LongSupplier nanoTime, Timer timer) {
    this.timeoutNanos = timeoutNanos;
    this.nanoTime = nanoTime;
    this.timer = timer;
  }

  /** Adds what begins now. */
  void add(Entry entry) {
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
    isArmed = false;
    long now = nanoTime.getAsLong();
    for (Entry oldest = ends.after; oldest != ends; oldest = ends.after) {
      if (oldest.dueNanos - now > 0) {
        if (!isArmed) {
          arm(oldest.dueNanos - now);
        }
        return;
      }
      oldest.remove();
      oldest.expired();
    }
  }
}
