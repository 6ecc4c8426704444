package dev.kvorum.coordinator;

import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.Replicas;
import dev.kvorum.topology.MemberId;

/** The order in which a read asks replicas. */
final class ReplicaOrdering {
  private ReplicaOrdering() {}

  /**
   * Orders the replicas of a plan. This node comes first, since it needs no network. Peers follow
   * by name, starting after this node's own name. The requests of one turn of the loop thus go to
   * few peers, and the requests of all nodes spread over all peers. Suspect peers come last.
   */
  static ReplicaPlan of(ReplicaPlan plan, Replicas replicas) {
    MemberId[] ordered = plan.replicas().toArray(MemberId[]::new);
    int[] ranks = new int[ordered.length];
    for (int i = 0; i < ordered.length; i++) {
      MemberId member = ordered[i];
      int rank = rank(member, replicas);
      int at = i;
      for (; at > 0 && isBefore(rank, member, ranks[at - 1], ordered[at - 1]); at--) {
        ordered[at] = ordered[at - 1];
        ranks[at] = ranks[at - 1];
      }
      ordered[at] = member;
      ranks[at] = rank;
    }
    return plan.inOrder(ordered);
  }

  private static int rank(MemberId member, Replicas replicas) {
    boolean behind = member.compareTo(replicas.self()) < 0;
    return (replicas.isSuspect(member) ? 2 : 0) + (behind ? 1 : 0);
  }

  private static boolean isBefore(int rank, MemberId one, int otherRank, MemberId other) {
    return rank == otherRank ? one.compareTo(other) < 0 : rank < otherRank;
  }
}
