package dev.kvorum.background;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Store;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What background work stands on.
 *
 * @param layouts who keeps what, as of now
 * @param peers the other members
 * @param loop on which all of it lives
 * @param nanoTime a monotone clock, in nanoseconds
 */
public record Ground(
    Supplier<Layout> layouts,
    Supplier<List<MemberId>> peers,
    Store store,
    MarkStore marks,
    Replicas replicas,
    HybridLogicalClock clock,
    ScheduledExecutorService loop,
    LongSupplier nanoTime,
    Meters meters) {
  public MemberId self() {
    return replicas.self();
  }

  /** Wall clock, Unix milliseconds. */
  public long wallMillis() {
    return clock.wallMillis();
  }
}
