package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.deadlines.DeadlineQueues;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.Replicas;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What all requests of one event loop share.
 *
 * @param layouts supplies the current layout
 * @param nanoTime a monotonic clock in nanoseconds
 * @param slowReads reads that are hedged when they take too long
 * @param hedges budget for hedged reads
 */
record RequestContext(
    CoordinatorSettings settings,
    Replicas replicas,
    Supplier<Layout> layouts,
    HybridLogicalClock clock,
    ScheduledExecutorService loop,
    LongSupplier nanoTime,
    Meters meters,
    DeadlineQueues slowReads,
    HedgeBudget hedges) {
  /** The deadline of a request that begins now. */
  long deadlineNanos() {
    return deadlineNanos(nanoTime.getAsLong());
  }

  /** The deadline of a request that began at this time. */
  long deadlineNanos(long beganNanos) {
    return beganNanos + settings.requestTimeout().toNanos();
  }

  boolean isOver(long deadlineNanos) {
    return nanoTime.getAsLong() - deadlineNanos >= 0;
  }
}
