package dev.kvorum.deadlines;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What must end within one and the same time, in the order in which it began: one timer for all,
 * set for the oldest. Confined to an event loop.
 */
public final class DeadlineQueue {
  private final long timeoutNanos;
  private final LongSupplier nanoTime;
  private final Timer timer;
  private final DeadlineList entries = new DeadlineList();
  private boolean isArmed;

  /** Runs a task later on the event loop. */
  public interface Timer {
    /** As {@link java.util.concurrent.ScheduledExecutorService#schedule}. */
    void schedule(Runnable task, long delay, TimeUnit unit);
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

  /** Adds what begins now and is in no list. */
  public void add(DeadlineList.Entry entry) {
    entries.add(entry, nanoTime.getAsLong() + timeoutNanos);
    if (!isArmed) {
      arm(timeoutNanos);
    }
  }

  private void arm(long delayNanos) {
    isArmed = true;
    timer.schedule(this::sweep, delayNanos, TimeUnit.NANOSECONDS);
  }

  private void sweep() {
    long now = nanoTime.getAsLong();
    try {
      entries.expire(now);
    } finally {
      // Only here: what was added meanwhile is due later than what remains.
      isArmed = false;
      if (!entries.isEmpty()) {
        arm(entries.firstDueNanos() - now);
      }
    }
  }
}
