package dev.kvorum.repair;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.ReplicaServices;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.VirtualMember;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One member with its repair, as long as its process lives. */
public final class RepairMember {
  public static final long HEARTBEAT_MILLIS = 1000;
  public static final Duration OFFSET_MAX = VirtualMember.OFFSET_MAX;

  public final MemberId id;
  public final MemoryStore store;
  private Layout layout;
  public final VirtualLoop loop;
  public final HybridLogicalClock clock;
  public final RemoteClockMonitor peerClocks;
  public final Replicas replicas;
  public final BackgroundContext context;
  public final Repair repair;
  public final SimpleMeterRegistry registry;
  public final List<String> resets = new ArrayList<>();

  public RepairMember(RepairHarness harness, MemberId id, Layout layout, InstantSource wallClock) {
    RepairNetwork network = harness.network;
    VirtualLoop virtual = harness.loop;
    List<MemberId> peers = harness.members.stream().filter(other -> !other.equals(id)).toList();
    this.id = id;
    this.store = harness.store(id);
    this.layout = layout;
    this.loop = virtual.another();
    VirtualMember member =
        new VirtualMember(id, layout.topology(), loop, wallClock, store, network.from(id));
    this.clock = member.clock;
    this.replicas = member.replicas;
    this.registry = member.registry;
    this.peerClocks = new RemoteClockMonitor(clock, OFFSET_MAX, virtual::nanoTime, () -> peers);
    this.context = member.background(() -> this.layout, peers, peerClocks);
    this.repair =
        new Repair(
            context,
            harness.settings,
            (reason, executor, done) -> {
              resets.add(reason);
              store.reset();
              executor.execute(done);
            },
            harness.setAside.getOrDefault(id, SetAsideStores.NONE),
            harness.founding);
    ReplicaServices none = ReplicaServices.NONE;
    member.local.serve(
        new ReplicaServices(
            none.hints(),
            repair.source(),
            none.transfers(),
            repair.votes(),
            repair.writeListener()));
    network.join(id, replicas, loop, clock);
    Runnable heartbeat = () -> peers.forEach(peer -> network.askTime(id, peer, peerClocks));
    loop.scheduleWithFixedDelay(heartbeat, 0, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
    loop.scheduleWithFixedDelay(replicas::sweep, 10, 10, TimeUnit.MILLISECONDS);
    loop.scheduleWithFixedDelay(this::stayAlive, 500, 500, TimeUnit.MILLISECONDS);
    repair.start();
  }

  /** Goes by another layout from now on. */
  public void follow(Layout newer) {
    layout = newer;
    loop.run(repair::follow);
  }

  private void stayAlive() {
    store.keepMark(
        MarkStore.CLOCK_HIGH_WATER, clock.wallMillis() + 1500, Runnable::run, applied -> {});
  }

  public boolean votesOnAll() {
    return !repair.report().rebuilding();
  }

  public double counted(String meter, String... tags) {
    return registry.counter(meter, tags).count();
  }
}
