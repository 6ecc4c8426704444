package dev.kvorum.simulation;

import dev.kvorum.data.Refusal;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
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
  private final Map<MemberId, SimPeer> peers = new TreeMap<>();
  private long epochOffset;

  SimTransport(MemberId self, NodeLoop loop, SimProcess.World world, RandomGenerator random) {
    this.self = self;
    this.loop = loop;
    this.world = world;
    this.random = random;
    for (Member member : world.topology().get().members()) {
      if (!member.id().equals(self)) {
        peers.put(member.id(), new SimPeer(this, member.id()));
      }
    }
  }

  MemberId self() {
    return self;
  }

  NodeLoop loop() {
    return loop;
  }

  RandomGenerator random() {
    return random;
  }

  long nanoTime() {
    return world.time().nanoTime();
  }

  long epoch() {
    return world.topology().get().epoch() + epochOffset;
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

  /** A peer has answered a request that carried this epoch. */
  void answered(MemberId peer, long claimed, ReplicaReply reply) {
    boolean refused = reply.equals(new ReplicaReply.Failed(Refusal.STALE_EPOCH));
    if (claimed != world.topology().get().epoch() && !refused) {
      world.onForeignEpochServed().accept(peer, reply.toString());
    }
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

  private SimPeer peer(MemberId member) {
    SimPeer peer = peers.get(member);
    if (peer == null) {
      throw new IllegalArgumentException(member + " is no peer");
    }
    return peer;
  }

  @Override
  public Call ask(
      MemberId to, ReplicaRequest request, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    return peer(to).ask(request, timeoutMillis, waiter);
  }

  @Override
  public boolean isConnected(MemberId member) {
    return peer(member).isConnected();
  }

  @Override
  public boolean isEveryPeerKnown() {
    return peers.values().stream().allMatch(SimPeer::isKnown);
  }

  @Override
  public void tick() {
    peers.values().forEach(SimPeer::tick);
  }

  @Override
  public boolean isSuspect(MemberId member) {
    return peer(member).isSuspect();
  }

  @Override
  public long slowReadNanos(MemberId member) {
    return peer(member).slowReadNanos();
  }
}
