package dev.kvorum.deadlines;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What must end within times that differ: a {@link DeadlineQueue} for each delay, so that adding
 * and leaving take constant time. Delays are rounded up, so that few queues have a timer. Nothing
 * expires early, and by the rounding at most half a millisecond late. Confined to an event loop.
 */
public final class DeadlineQueues {
  private static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final LongSupplier nanoTime;
  private final DeadlineQueue.Timer timer;
  // By delay in steps; at most one for each step below the longest delay.
  private final Map<Long, DeadlineQueue> queues = new HashMap<>();

  /**
   * Creates the queues of an event loop.
   *
   * @param nanoTime a monotonic clock in nanoseconds
   */
  public DeadlineQueues(LongSupplier nanoTime, DeadlineQueue.Timer timer) {
    this.nanoTime = nanoTime;
    this.timer = timer;
  }

  /**
   * Adds what begins now and is in no list.
   *
   * @param delayNanos time for it, in nanoseconds, not negative
   */
  public void add(DeadlineList.Entry entry, long delayNanos) {
    queues.computeIfAbsent(Math.ceilDiv(delayNanos, STEP_NANOS), this::queue).add(entry);
  }

  private DeadlineQueue queue(long steps) {
    return new DeadlineQueue(steps * STEP_NANOS, nanoTime, timer);
  }
}
