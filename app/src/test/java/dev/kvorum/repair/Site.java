package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.MemoryHints;
import dev.kvorum.replica.MemoryStore;
import dev.kvorum.replica.PeerClocks;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One member with its repair, as long as its process lives. */
final class Site {
  static final long HEARTBEAT_MILLIS = 1000;
  static final Duration OFFSET_MAX = Duration.ofMillis(500);

  final MemberId id;
  final MemoryStore store;
  final SiteLoop loop;
  final HybridLogicalClock clock;
  final PeerClocks peerClocks;
  final Replicas replicas;
  final Repair repair;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final List<String> startOvers = new ArrayList<>();

  Site(
      MemberId id,
      MemoryStore store,
      Founding founding,
      RepairSettings settings,
      Layout layout,
      List<MemberId> peers,
      RepairNetwork network,
      VirtualLoop virtual,
      InstantSource wallClock) {
    this.id = id;
    this.store = store;
    this.loop = new SiteLoop(virtual);
    this.clock = new HybridLogicalClock(wallClock, OFFSET_MAX, id.writer(1), 0);
    this.peerClocks = new PeerClocks(clock, OFFSET_MAX, virtual::nanoTime, () -> peers);
    clock.reservedUpTo(1L << 47);
    LocalReplica local = new LocalReplica(store, clock, new CurrentTopology(layout.topology()));
    Meters meters = new Meters(registry);
    this.replicas =
        new Replicas(
            id, local, network.from(id), new MemoryHints(), loop.executor(), virtual::nanoTime);
    Ground ground =
        new Ground(
            () -> layout,
            () -> peers,
            store,
            store,
            replicas,
            clock,
            peerClocks,
            loop.executor(),
            virtual::nanoTime,
            meters);
    this.repair =
        new Repair(
            ground,
            settings,
            (reason, executor, done) -> {
              startOvers.add(reason);
              store.startOver();
              executor.execute(done);
            },
            SetAsideStores.NONE,
            founding,
            OFFSET_MAX.toMillis());
    repair.serveOn(local);
    network.join(id, replicas, loop, clock);
    Runnable heartbeat = () -> peers.forEach(peer -> network.askTime(id, peer, peerClocks));
    loop.executor().scheduleWithFixedDelay(heartbeat, 0, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
    loop.executor().scheduleWithFixedDelay(replicas::sweep, 10, 10, TimeUnit.MILLISECONDS);
    loop.executor().scheduleWithFixedDelay(this::stayAlive, 500, 500, TimeUnit.MILLISECONDS);
    repair.start();
  }

  private void stayAlive() {
    store.keepMark(
        MarkStore.CLOCK_RESERVED, clock.wallMillis() + 1500, Runnable::run, applied -> {});
  }

  boolean votesOnAll() {
    return !repair.report().rebuilding();
  }

  double counted(String meter) {
    return registry.counter(meter).count();
  }
}
