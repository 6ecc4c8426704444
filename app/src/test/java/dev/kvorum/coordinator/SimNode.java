package dev.kvorum.coordinator;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.repair.HandoffSettings;
import dev.kvorum.repair.HintedHandoff;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.MemoryHints;
import dev.kvorum.replica.MemoryStore;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A node as the coordinator's tests need it, with a clock that is off by {@code skewMillis}. */
final class SimNode {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  final MemberId id;
  final MemoryStore store = new MemoryStore();
  final MemoryHints hints = new MemoryHints();
  final Coordinator coordinator;

  SimNode(
      MemberId id,
      VirtualLoop loop,
      SimNetwork network,
      SlotMap slots,
      long skewMillis,
      Meters meters) {
    this.id = id;
    HybridLogicalClock clock =
        new HybridLogicalClock(loop.wallClock(skewMillis), Duration.ofMillis(500), id.writer(), 0);
    clock.reservedUpTo(1L << 47);
    LocalReplica local = new LocalReplica(store, clock);
    Replicas replicas = new Replicas(id, local, network.from(id), hints, loop, loop::nanoTime);
    network.join(id, replicas);
    coordinator =
        new Coordinator(
            new CoordinatorSettings(TIMEOUT, 0.1),
            () -> slots,
            replicas,
            clock,
            loop,
            loop::nanoTime,
            meters);
    HintedHandoff handoff =
        new HintedHandoff(
            new HandoffSettings(16, 1 << 20, Duration.ofHours(1), Duration.ofSeconds(1), TIMEOUT),
            hints,
            replicas,
            loop,
            loop,
            loop.wallClock(skewMillis),
            loop::nanoTime,
            meters);
    local.serveHints(handoff);
    handoff.start();
    loop.scheduleWithFixedDelay(replicas::sweep, 10, 10, TimeUnit.MILLISECONDS);
  }
}
