package dev.kvorum;

import dev.kvorum.background.Ground;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.Rebalance;
import dev.kvorum.repair.HintedHandoff;
import dev.kvorum.repair.Repair;
import dev.kvorum.replica.Fence;
import dev.kvorum.replica.HandshakePolicy;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.PeerClocks;
import dev.kvorum.replica.ProcessRegistry;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * All that makes a node what it is, on whatever it stands: replication, repair and the clock behind
 * it, without a socket, a disk or a thread of its own. {@link Node} puts it on a machine, the
 * simulator into virtual time.
 *
 * <p>Order of use: lanes are added, the first of which also carries the background work; the clock
 * is reserved; then it starts.
 */
public final class NodeCore {

  private final CoreSettings settings;
  private final Seams seams;
  private final Meters meters;
  private final HybridLogicalClock clock;
  private final PeerClocks peerClocks;
  private final ProcessRegistry processes;
  private final Fence fence = new Fence();
  private final HandshakePolicy handshakes;
  private final ClockReservation reservation;
  private final Epochs epochs;
  private final LocalReplica replica;
  private final List<Lane> lanes = new ArrayList<>();
  private @Nullable HintedHandoff handoff;
  private @Nullable Repair repair;
  private @Nullable Rebalance rebalance;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  public NodeCore(CoreSettings settings, Seams seams, Meters meters) {
    this(settings, seams, Layout.of(seams.topology().get()), meters);
  }

  /** A core whose layout is known already: computing it takes as long as simulating seconds. */
  public NodeCore(CoreSettings settings, Seams seams, Layout layout, Meters meters) {
    this.settings = settings;
    this.seams = seams;
    this.meters = meters;
    this.clock =
        new HybridLogicalClock(
            seams.wallClock(),
            settings.clockMaxOffset(),
            seams.self().writer(seams.member().incarnation()),
            seams.marks().mark(MarkStore.CLOCK_RESERVED));
    this.peerClocks =
        new PeerClocks(clock, settings.clockMaxOffset(), seams.nanoTime(), this::peers);
    this.reservation =
        new ClockReservation(clock, peerClocks, seams.marks(), settings.clockReserve());
    this.epochs = new Epochs(seams, layout, lanes);
    this.processes = new ProcessRegistry(meters.rpc());
    this.handshakes = new HandshakePolicy(seams.member(), processes, fence, epochs::askOf);
    this.replica =
        new LocalReplica(seams.store(), clock, seams.topology(), fence, seams.verifier());
  }

  /** This node as a replica, for whoever takes the requests of peers. */
  public LocalReplica replica() {
    return replica;
  }

  /** What this node makes of handshakes, for all that connects it with others. */
  public HandshakePolicy handshakes() {
    return handshakes;
  }

  /** Which process of each other member this node talks to. */
  public ProcessRegistry processes() {
    return processes;
  }

  /** What compares records with their checksums. */
  public ChecksumVerifier verifier() {
    return seams.verifier();
  }

  /** Whether others refuse this process because there is another one of its member. */
  public Fence fence() {
    return fence;
  }

  /** Makes what belongs to an event loop, with its own way to the peers. */
  public Lane addLane(ScheduledExecutorService loop, Transport transport) {
    Replicas replicas =
        new Replicas(seams.self(), replica, transport, seams.hints(), loop, seams.nanoTime());
    Coordinator coordinator =
        new Coordinator(
            settings.coordinator(),
            epochs::layout,
            replicas,
            clock,
            loop,
            seams.nanoTime(),
            meters);
    replicas.onNewerEpoch(epochs::askOf);
    Lane lane = new Lane(loop, transport, replicas, coordinator);
    lanes.add(lane);
    if (handoff == null) {
      handoff =
          new HintedHandoff(
              settings.handoff(),
              seams.hints(),
              replicas,
              epochs::layout,
              loop,
              seams.background(),
              () -> Instant.ofEpochMilli(clock.correctedMillis()),
              seams.nanoTime(),
              meters);
      replica.serveHints(handoff);
      backgroundWorkOn(lane);
    }
    return lane;
  }

  private void backgroundWorkOn(Lane lane) {
    Ground ground =
        new Ground(
            epochs::layout,
            this::peers,
            seams.store(),
            seams.marks(),
            lane.replicas(),
            clock,
            peerClocks,
            lane.loop(),
            seams.nanoTime(),
            meters);
    Repair mending =
        new Repair(
            ground,
            settings.repair(),
            seams.startOver(),
            seams.setAside(),
            seams.founding(),
            settings.clockMaxOffset().toMillis());
    mending.serveOn(replica);
    Rebalance moving =
        new Rebalance(
            ground,
            settings.rebalance(),
            mending.adoption(),
            mending::hasAll,
            mending::filledSince,
            mending::heard);
    moving.serveOn(replica);
    epochs.listen(layout -> mending.follow());
    epochs.listen(moving::follow);
    repair = mending;
    rebalance = moving;
  }

  /** What keeps this node equal to the others. */
  public Repair repair() {
    return Objects.requireNonNull(repair, "no lane");
  }

  /** This node's part in changes of the members. */
  public Rebalance rebalance() {
    return Objects.requireNonNull(rebalance, "no lane");
  }

  /** Takes this replica's vote back, on any thread: its store is about to be an empty one. */
  public void onStoreLost() {
    repair().onStoreLost();
  }

  /** Takes note, on any thread, that the store is an empty one now. */
  public void onStoreReplaced() {
    repair().onStoreReplaced();
    lanes.getFirst().loop().execute(rebalance()::onStoreReplaced);
  }

  /** Takes a topology over if it is newer than the one this node works by; for any thread. */
  public boolean offer(Topology candidate) {
    return epochs.offer(candidate);
  }

  /** Where records are now. */
  public Layout layout() {
    return epochs.layout();
  }

  /** What the others' clocks say of this node's. */
  public PeerClocks peerClocks() {
    return peerClocks;
  }

  /** How far the clock runs ahead of the wall clock, milliseconds; 0 when it does not. */
  public long clockAheadMillis() {
    return clock.aheadMillis();
  }

  /** The newest epoch below which nothing happens any more on this node. */
  public long epochSeen() {
    return epochs.seen();
  }

  /** All lanes. */
  public List<Lane> lanes() {
    return lanes;
  }

  /**
   * Makes the clock's mark durable, as far as the clock can be trusted yet.
   *
   * @return fails when the store takes no writes
   */
  public CompletableFuture<Void> reserveClock() {
    return reservation.reserve();
  }

  /** Connects to the peers, pulls hints, and goes on from there. To be called once. */
  public void start() {
    Lane first = lanes.getFirst();
    reservation.start(
        first.loop(), seams.nanoTime(), settings.startupPeers(), this::isMajorityOutOfReach);
    lanes.forEach(Lane::start);
    Objects.requireNonNull(handoff, "no lane").start();
    repair().start();
    first.loop().execute(() -> rebalance().start(epochs.layout()));
    new Startup(
            settings,
            lanes,
            this::peers,
            processes,
            reservation::isSettled,
            () -> repair().whole().isDone(),
            seams.nanoTime(),
            ready)
        .begin();
  }

  /** Whether so many peers refuse connections that no majority's clocks can be had. */
  private boolean isMajorityOutOfReach() {
    List<MemberId> peers = peers();
    long refusing = peers.stream().filter(this::isRefusing).count();
    return 2 * (peers.size() + 1 - refusing) <= peers.size() + 1;
  }

  private boolean isRefusing(MemberId peer) {
    return !processes.isConnected(peer)
        && lanes.stream().allMatch(lane -> lane.transport().isKnown(peer));
  }

  /** The other members. */
  public List<MemberId> peers() {
    return seams.topology().get().members().stream()
        .map(Member::id)
        .filter(id -> !id.equals(seams.self()))
        .toList();
  }

  /** Done once hints have been pulled and clients may come. */
  public CompletableFuture<Void> ready() {
    return ready;
  }
}
