package dev.kvorum.node;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.backup.restore.RestoringVotes;
import dev.kvorum.config.CoreSettings;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.hints.HintedHandoff;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.Rebalance;
import dev.kvorum.repair.Repair;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaServices;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.Fence;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A node without its environment: no socket, disk or thread of its own. {@link Node} runs it on a
 * machine, the simulator in virtual time. Reserve the clock, then start it.
 */
public final class NodeCore {
  private final CoreSettings settings;
  private final NodeDependencies dependencies;
  private final Meters meters;
  private final HybridLogicalClock clock;
  private final RemoteClockMonitor peerClocks;
  private final ProcessRegistry processes;
  private final Fence fence = new Fence();
  private final HandshakePolicy handshakes;
  private final ClockReservation reservation;
  private final TopologyApplier epochs;
  private final LocalReplica replica;
  private final List<LoopContext> loopContexts = new ArrayList<>();
  private final BackgroundContext background;
  private final HintedHandoff handoff;
  private final Repair repair;
  private final Rebalance rebalance;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  /**
   * Creates a node that has not started.
   *
   * @param layout layout of the topology at the start
   * @param loops the event loops; the first one also runs the background work
   */
  public <L extends ScheduledExecutorService> NodeCore(
      CoreSettings settings,
      NodeDependencies dependencies,
      Layout layout,
      Meters meters,
      List<L> loops,
      TransportFactory<L> transports) {
    this.settings = settings;
    this.dependencies = dependencies;
    this.meters = meters;
    this.clock =
        new HybridLogicalClock(
            dependencies.wallClock(),
            settings.clock().maxOffset(),
            dependencies.self().writer(dependencies.member().incarnation()),
            dependencies.marks().mark(MarkStore.CLOCK_HIGH_WATER));
    this.peerClocks =
        new RemoteClockMonitor(
            clock, settings.clock().maxOffset(), dependencies.nanoTime(), dependencies::settled);
    this.reservation =
        new ClockReservation(clock, peerClocks, dependencies.marks(), settings.clock().reserve());
    this.epochs = new TopologyApplier(dependencies, layout, loopContexts);
    this.processes = new ProcessRegistry(meters.rpc());
    this.handshakes = new HandshakePolicy(dependencies.member(), processes, fence, epochs::askOf);
    this.replica =
        new LocalReplica(
            dependencies.store(),
            clock,
            dependencies.topology(),
            fence::isRaised,
            dependencies.verifier(),
            dependencies.tracer());
    for (L loop : loops) {
      loopContexts.add(loopContext(loop, transports.transport(loop, handshakes, peerClocks)));
    }
    LoopContext first = loopContexts.getFirst();
    this.background =
        new BackgroundContext(
            epochs::layout,
            settings.coordinator().replication(),
            this::peers,
            dependencies.store(),
            dependencies.marks(),
            first.replicas(),
            clock,
            peerClocks,
            first.loop(),
            () -> transports.isOn(loops.getFirst()),
            dependencies.nanoTime(),
            meters);
    this.handoff =
        new HintedHandoff(
            background,
            settings.hints(),
            settings.coordinator().requestTimeout(),
            dependencies.hints(),
            dependencies.background());
    this.repair =
        new Repair(
            background,
            settings.repair(),
            dependencies.storeReset(),
            dependencies.setAside(),
            dependencies.founding());
    this.rebalance = new Rebalance(background, settings.rebalance(), repair);
    epochs.listen(next -> repair.follow());
    epochs.listen(rebalance::follow);
    replica.serve(
        new ReplicaServices(
            handoff,
            repair.source(),
            rebalance.source(),
            new RestoringVotes(repair.votes(), dependencies.marks()),
            repair.writeListener().then(rebalance.writeListener())));
  }

  private LoopContext loopContext(ScheduledExecutorService loop, Transport transport) {
    Replicas replicas =
        new Replicas(
            dependencies.self(),
            replica,
            transport,
            dependencies.hints(),
            loop,
            dependencies.nanoTime());
    Coordinator coordinator =
        new Coordinator(settings.coordinator(), epochs::layout, replicas, clock, loop, meters);
    replicas.onNewerEpoch(epochs::askOf);
    return new LoopContext(loop, transport, replicas, coordinator);
  }

  /** This node's replica, for the server of peers' requests. */
  public LocalReplica replica() {
    return replica;
  }

  /** This node's policy for handshakes, shared by all its connections. */
  public HandshakePolicy handshakes() {
    return handshakes;
  }

  /** Tracks which process of each peer this node accepts. */
  public ProcessRegistry processes() {
    return processes;
  }

  /** Verifies the checksums of records. */
  public ChecksumVerifier verifier() {
    return dependencies.verifier();
  }

  /** Whether peers reject this process because of another process of its member. */
  public Fence fence() {
    return fence;
  }

  /** The repair, which makes this node equal to its peers. */
  public Repair repair() {
    return repair;
  }

  /** This node's part in membership changes. */
  public Rebalance rebalance() {
    return rebalance;
  }

  /** What background work shares. */
  public BackgroundContext background() {
    return background;
  }

  /** Starts again with the empty store that has replaced the old one. Safe for any thread. */
  public void onStoreReplaced() {
    repair.onStoreReplaced();
    loopContexts.getFirst().loop().execute(rebalance::onStoreReplaced);
  }

  /** Applies a topology if it is newer than the current one. Safe for any thread. */
  public boolean offer(Topology candidate) {
    return epochs.offer(candidate);
  }

  /** The current layout. */
  public Layout layout() {
    return epochs.layout();
  }

  /** Compares this node's clock with its peers' clocks. */
  public RemoteClockMonitor peerClocks() {
    return peerClocks;
  }

  /** How far the clock is ahead of the wall clock, in milliseconds; 0 if it is not. */
  public long clockAheadMillis() {
    return clock.aheadMillis();
  }

  /** The newest epoch below which no work is done on this node any more. */
  public long epochSeen() {
    return epochs.seen();
  }

  /** The contexts of all event loops. */
  public List<LoopContext> loopContexts() {
    return loopContexts;
  }

  /**
   * Makes the clock's mark durable, as far as the clock can be trusted yet.
   *
   * @return fails if the store rejects writes
   */
  public CompletableFuture<Void> reserveClock() {
    return reservation.reserve();
  }

  /** Returns whether the store has failed, and not stored a mark of the clock since. */
  public boolean isClockStoreFailed() {
    return reservation.isStoreFailed();
  }

  /** Connects to peers, pulls hints, and starts the background work. Call it once. */
  public void start() {
    PeerReach reach =
        new PeerReach(
            this::peers,
            loopContexts.stream().map(LoopContext::transport).toList(),
            processes,
            handshakes.releases(),
            peerClocks::hasRead);
    reservation.start(
        background.loop(),
        dependencies.nanoTime(),
        settings.startupPeers(),
        reach::isMajorityRejecting);
    loopContexts.forEach(LoopContext::start);
    handoff.start();
    repair.start();
    background.loop().execute(() -> rebalance.start(epochs.layout()));
    new StartupCatchUp(
            settings,
            loopContexts.getFirst(),
            reach,
            reservation::wasAttempted,
            () -> repair.complete().isDone(),
            ready)
        .begin();
  }

  /** The other members. */
  public List<MemberId> peers() {
    return dependencies.peers();
  }

  /** Completes once hints have been pulled and the node is ready for clients. */
  public CompletableFuture<Void> ready() {
    return ready;
  }
}
