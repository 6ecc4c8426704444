package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.Replicas;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the requests of one event loop stand on.
 *
 * @param layouts where records are, as of now
 * @param nanoTime a monotone clock, in nanoseconds
 * @param hedges how many more replicas reads may ask
 */
record RequestContext(
    Replicas replicas,
    Supplier<Layout> layouts,
    HybridLogicalClock clock,
    ScheduledExecutorService loop,
    LongSupplier nanoTime,
    Meters meters,
    HedgeBudget hedges) {
  boolean isOver(long deadlineNanos) {
    return nanoTime.getAsLong() - deadlineNanos >= 0;
  }
}
