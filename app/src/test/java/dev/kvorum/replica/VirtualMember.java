package dev.kvorum.replica;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.rpc.MemoryHints;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.RecordingTracer;
import dev.kvorum.virtualtime.VirtualLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * The parts of a member that every harness needs, on a virtual loop with its records in memory. Its
 * transport is a script, or a network of such members.
 */
public final class VirtualMember {
  public static final Duration OFFSET_MAX = Duration.ofMillis(500);

  public final MemberId id;
  public final VirtualLoop loop;
  public final MemoryStore store;
  public final MemoryHints hints = new MemoryHints();
  public final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  public final Meters meters = new Meters(registry);
  public final RecordingTracer tracer = new RecordingTracer();
  public final HybridLogicalClock clock;
  public final CurrentTopology topology;
  public final LocalReplica local;
  public final Replicas replicas;

  /** A member whose clock is that of its loop. */
  public VirtualMember(
      MemberId id, Topology topology, VirtualLoop loop, MemoryStore store, Transport transport) {
    this(id, topology, loop, loop.wallClock(0), store, transport);
  }

  /** A member whose clock may be wrong. */
  public VirtualMember(
      MemberId id,
      Topology topology,
      VirtualLoop loop,
      InstantSource wallClock,
      MemoryStore store,
      Transport transport) {
    this.id = id;
    this.loop = loop;
    this.store = store;
    this.clock = new HybridLogicalClock(wallClock, OFFSET_MAX, id.writer(1), 0);
    clock.reservedUpTo(1L << 47);
    this.topology = new CurrentTopology(topology);
    this.local =
        new LocalReplica(store, clock, this.topology, () -> false, new ChecksumVerifier(), tracer);
    this.replicas = new Replicas(id, local, transport, hints, loop, loop::nanoTime);
  }

  /** What background work needs, with three copies. */
  public BackgroundContext background(
      Supplier<Layout> layout, List<MemberId> peers, RemoteClockMonitor peerClocks) {
    return new BackgroundContext(
        layout,
        3,
        () -> peers,
        store,
        store,
        replicas,
        clock,
        peerClocks,
        loop,
        loop::inEventLoop,
        loop::nanoTime,
        meters);
  }

  /** Lets time pass, with the sweep that a node does every ten milliseconds. */
  public void pass(Duration time) {
    for (long millis = 0; millis < time.toMillis(); millis += 10) {
      loop.advance(Duration.ofMillis(10));
      replicas.sweep();
    }
  }

  public double counted(String meter, String... tags) {
    return registry.counter(meter, tags).count();
  }
}
