package dev.kvorum.simulation.network;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.TypedFrames;
import dev.kvorum.rpc.WireDoor;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The way of one process to its peers, over the simulated network. */
public final class SimTransport implements Transport {
  /** What happens when something reaches the process that serves. */
  interface AtServer {
    void at(SimServer server);
  }

  private final MemberId self;
  private final int loopContext;
  private final VirtualLoop loop;
  private final SimNetwork network;
  private final RandomGenerator random;
  private final RemoteClockMonitor clocks;
  private final Map<MemberId, SimPeer> peers = new TreeMap<>();
  private final CurrentTopology topology;
  private long followedEpoch = -1;
  private long epochOffset;
  private final HandshakePolicy handshakes;
  private MemberId address;
  private boolean canDial = true;

  public SimTransport(
      int loopContext,
      VirtualLoop loop,
      SimNetwork network,
      RandomGenerator random,
      RemoteClockMonitor clocks,
      HandshakePolicy handshakes) {
    LocalMember member = WireDoor.self(handshakes);
    this.self = member.id();
    this.loopContext = loopContext;
    this.address = member.id();
    this.handshakes = handshakes;
    this.loop = loop;
    this.network = network;
    this.random = random;
    this.clocks = clocks;
    this.topology = member.topology();
    follow();
  }

  /** Keeps connections to the current members, and to no one else. */
  private void follow() {
    Topology now = topology.get();
    if (now.epoch() != followedEpoch) {
      followedEpoch = now.epoch();
      List<MemberId> others =
          now.members().stream().map(Member::id).filter(id -> !id.equals(self)).toList();
      others.forEach(id -> peers.computeIfAbsent(id, other -> new SimPeer(this, other)));
      peers.entrySet().stream()
          .filter(peer -> !others.contains(peer.getKey()))
          .forEach(peer -> {
            peer.getValue().reset();
            WireDoor.admitted(handshakes, peer.getKey());
          });
      peers.keySet().retainAll(others);
    }
  }

  HandshakePolicy handshakes() {
    return handshakes;
  }

  /** This process receives a reply. */
  void check(ReplicaReply reply) {
    if (TypedFrames.cannotRead(handshakes, reply)) {
      throw new IllegalStateException("received a reply that its release cannot read");
    }
  }

  /** From now on this process is elsewhere. */
  void moveTo(MemberId newAddress) {
    address = newAddress;
  }

  /** Whether new connections get through; those that are there always do. */
  public boolean canDial() {
    return canDial;
  }

  public void canDial(boolean can) {
    canDial = can;
  }

  /** Which of its process's lanes has it; the peer's same lane serves. */
  int loopContext() {
    return loopContext;
  }

  VirtualLoop loop() {
    return loop;
  }

  RemoteClockMonitor clocks() {
    return clocks;
  }

  RandomGenerator random() {
    return random;
  }

  long nanoTime() {
    return network.nanoTime();
  }

  /** Whether the next write is lost on its way: as if its coordinator had crashed while sending. */
  boolean losesWrite() {
    double share = network.lostWrites();
    return share > 0 && random.nextDouble() < share;
  }

  long epochOffset() {
    return epochOffset;
  }

  /** From now on this process's requests claim another epoch: 0 for its own again. */
  public void claimEpoch(long offset) {
    epochOffset = offset;
  }

  /** Takes something to a peer's process, or its machine reports that there is none. */
  void toServer(SimConnection over, String what, AtServer delivery, Runnable rejected) {
    network.carry(
        address,
        over.address(),
        what,
        () -> {
          MemberId there = over.address();
          SimServer server = network.server(there, loopContext);
          if (server != null) {
            server.loop().execute(() -> delivery.at(server));
          } else if (network.isUp(there)) {
            fromServer(there, "rejected", rejected);
          }
        });
  }

  /** A request's frame as a peer gets it. */
  byte[] frameTo(MemberId to, byte[] frame) {
    return network.onTheWay(self, to, frame);
  }

  /** A reply's frame as it comes from a peer. */
  byte[] frameFrom(MemberId from, byte[] frame) {
    return network.onTheWay(from, self, frame);
  }

  /** Brings something from a peer. */
  void fromServer(MemberId from, String what, Runnable delivery) {
    network.carry(from, address, what, () -> loop.execute(delivery));
  }

  /** A peer's process has ended. */
  void ended(MemberId peer, SimServer server) {
    SimPeer known = peers.get(peer);
    if (known != null) {
      known.ended(server);
    }
  }

  /** Connects at once to a member that has just been seen alive. */
  public void seen(MemberId member) {
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
      waiter.reply(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
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
