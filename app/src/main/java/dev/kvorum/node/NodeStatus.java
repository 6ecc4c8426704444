package dev.kvorum.node;

import dev.kvorum.rebalance.TransferReport;
import dev.kvorum.rpc.Fence;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.HashSet;
import java.util.Set;

/**
 * The state of a node at one moment, as its endpoint, its meters and its health show it. Cheap:
 * what has to be counted is in {@link Node#repair()} and in the store's statistics.
 *
 * @param serving what decides whether clients are sent to this node
 * @param fencing whether its peers reject this process
 * @param change the topology, and this node's part in its change
 * @param clock its clock, compared with others
 */
public record NodeStatus(Serving serving, Fencing fencing, Change change, Clock clock) {
  /**
   * What decides whether clients are sent to this node, with {@link Fencing}.
   *
   * @param ready whether it has pulled its hints since its start
   * @param healthy whether its store accepts writes
   * @param member whether it is a member; one that has left only forwards requests
   * @param restoring whether a backup is being restored
   * @param needsRestart whether its store is unusable until the process is restarted
   */
  public record Serving(
      boolean ready, boolean healthy, boolean member, boolean restoring, boolean needsRestart) {}

  /**
   * Whether peers reject this process because of another process of its member.
   *
   * @param raised whether it must not serve now
   * @param superseded whether it must not serve until it is restarted
   * @param rejectedBy the members that reject it
   * @param unreachable those of them that could not be reached since
   */
  public record Fencing(
      boolean raised, boolean superseded, Set<MemberId> rejectedBy, Set<MemberId> unreachable) {
    static Fencing of(Fence fence) {
      Set<MemberId> unreachable = new HashSet<>(fence.unreached());
      Set<MemberId> rejectedBy = fence.rejecting();
      unreachable.retainAll(rejectedBy);
      return new Fencing(fence.isRaised(), fence.isSuperseded(), rejectedBy, unreachable);
    }
  }

  /**
   * The topology, and this node's part in its change.
   *
   * @param epochSeen the newest epoch below which no work is done on this node any more
   * @param cleanedUp whether records that it no longer keeps are removed
   */
  public record Change(
      Topology topology, long epochSeen, TransferReport transfer, boolean cleanedUp) {}

  /**
   * A node's clock, in milliseconds.
   *
   * @param aheadMillis how far it is ahead of this machine's clock; 0 if it is not
   * @param offsetMillis how far it is ahead of the peers' median; 0 without peers
   */
  public record Clock(long aheadMillis, long offsetMillis) {}

  static NodeStatus of(Node node) {
    NodeCore core = node.core();
    Topology topology = node.topology().get();
    return new NodeStatus(
        new Serving(
            node.ready().isDone(),
            node.isHealthy(),
            topology.member(node.self().id()).isPresent(),
            core.background().isRestoring(),
            node.store().needsRestart()),
        Fencing.of(core.fence()),
        new Change(
            topology, core.epochSeen(), core.rebalance().report(), core.rebalance().isCleanedUp()),
        new Clock(core.clockAheadMillis(), core.peerClocks().offsetMillis()));
  }
}
