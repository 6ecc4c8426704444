package dev.kvorum.simulation;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.PeerClocks;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The way of one process to its peers, over the simulated network. */
final class SimTransport implements Transport {
  /** What happens when something reaches the process that serves. */
  interface AtServer {
    void at(SimServer server);
  }

  private final MemberId self;
  private final NodeLoop loop;
  private final SimProcess.World world;
  private final RandomGenerator random;
  private final PeerClocks clocks;
  private final Map<MemberId, SimPeer> peers = new TreeMap<>();
  private final CurrentTopology topology;
  private long followedEpoch = -1;
  private long epochOffset;

  SimTransport(
      MemberId self,
      CurrentTopology topology,
      NodeLoop loop,
      SimProcess.World world,
      RandomGenerator random,
      PeerClocks clocks) {
    this.self = self;
    this.loop = loop;
    this.world = world;
    this.random = random;
    this.clocks = clocks;
    this.topology = topology;
    follow();
  }

  /** Has a connection to whoever is a member now, and to nobody else. */
  private void follow() {
    Topology now = topology.get();
    if (now.epoch() != followedEpoch) {
      followedEpoch = now.epoch();
      List<MemberId> others =
          now.members().stream().map(Member::id).filter(id -> !id.equals(self)).toList();
      others.forEach(id -> peers.computeIfAbsent(id, other -> new SimPeer(this, other)));
      peers.entrySet().stream()
          .filter(peer -> !others.contains(peer.getKey()))
          .forEach(peer -> peer.getValue().reset());
      peers.keySet().retainAll(others);
    }
  }

  MemberId self() {
    return self;
  }

  NodeLoop loop() {
    return loop;
  }

  PeerClocks clocks() {
    return clocks;
  }

  RandomGenerator random() {
    return random;
  }

  long nanoTime() {
    return world.time().nanoTime();
  }

  long epochOffset() {
    return epochOffset;
  }

  /** From now on this process's requests claim another epoch: 0 for its own again. */
  void claimEpoch(long offset) {
    epochOffset = offset;
  }

  /** Takes something to a peer's process, or learns from its machine that there is none. */
  void toServer(MemberId to, String what, AtServer arrival, Runnable refused) {
    world
        .network()
        .carry(
            self,
            to,
            what,
            () -> {
              SimServer server = world.network().server(to);
              if (server != null) {
                server.loop().execute(() -> arrival.at(server));
              } else if (world.machineIsUp().test(to)) {
                fromServer(to, "refused", refused);
              }
            });
  }

  /** A request's frame as a peer gets it. */
  byte[] frameTo(MemberId to, byte[] frame) {
    return world.network().onTheWay(self, to, frame);
  }

  /** A reply's frame as it comes from a peer. */
  byte[] frameFrom(MemberId from, byte[] frame) {
    return world.network().onTheWay(from, self, frame);
  }

  /** Brings something from a peer. */
  void fromServer(MemberId from, String what, Runnable arrival) {
    world.network().carry(from, self, what, () -> loop.execute(arrival));
  }

  /** A peer's process has ended and its machine closes what it had open. */
  void processEnded(MemberId peer) {
    SimPeer known = peers.get(peer);
    if (known != null) {
      fromServer(peer, "closed", known::reset);
    }
  }

  /** Connects at once to a member that has just been seen alive. */
  void seen(MemberId member) {
    SimPeer peer = peers.get(member);
    if (peer != null) {
      peer.seen();
    }
  }

  @Override
  public Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter) {
    SimPeer peer = peers.get(to);
    if (peer == null) {
      waiter.answer(new ReplicaReply.Failed(Refusal.UNREACHABLE));
      return Call.DONE;
    }
    return peer.ask(request, epoch, timeoutMillis, waiter);
  }

  @Override
  public boolean isConnected(MemberId member) {
    SimPeer peer = peers.get(member);
    return peer != null && peer.isConnected();
  }

  @Override
  public boolean isKnown(MemberId member) {
    SimPeer peer = peers.get(member);
    return peer != null && peer.isKnown();
  }

  @Override
  public void tick() {
    follow();
    peers.values().forEach(SimPeer::tick);
  }

  @Override
  public boolean isSuspect(MemberId member) {
    SimPeer peer = peers.get(member);
    return peer == null || peer.isSuspect();
  }

  @Override
  public long slowReadNanos(MemberId member) {
    SimPeer peer = peers.get(member);
    return peer == null ? 1_000_000 : peer.slowReadNanos();
  }
}
