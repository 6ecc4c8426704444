package dev.kvorum.coordinator;

import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.replica.Replicas;
import dev.kvorum.topology.MemberId;

/** The order in which a read asks replicas. */
final class AskOrder {
  private AskOrder() {}

  /**
   * This node first, for it needs no network; then the others by their names, beginning after this
   * node's own, so that what one node asks in a turn of its loop goes to few peers, and what all
   * ask is spread; last those that are suspect.
   */
  static ReplicaPlan of(ReplicaPlan plan, Replicas replicas) {
    MemberId[] ordered = plan.replicas().toArray(MemberId[]::new);
    for (int i = 1; i < ordered.length; i++) {
      MemberId member = ordered[i];
      int at = i;
      for (; at > 0 && isAskedBefore(member, ordered[at - 1], replicas); at--) {
        ordered[at] = ordered[at - 1];
      }
      ordered[at] = member;
    }
    return plan.inOrder(ordered);
  }

  private static boolean isAskedBefore(MemberId one, MemberId other, Replicas replicas) {
    boolean suspect = replicas.isSuspect(one);
    if (suspect != replicas.isSuspect(other)) {
      return !suspect;
    }
    MemberId self = replicas.self();
    boolean behind = one.compareTo(self) < 0;
    boolean otherBehind = other.compareTo(self) < 0;
    return behind == otherBehind ? one.compareTo(other) < 0 : otherBehind;
  }
}
