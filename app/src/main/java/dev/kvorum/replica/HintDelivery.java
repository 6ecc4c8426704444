package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;

/** Delivers the hints that this node keeps for a member. */
public interface HintDelivery {
  /**
   * Delivers some of the hints for a member that requests them, then replies with the number left.
   */
  void deliverSome(MemberId target, Waiter<ReplicaReply> waiter);
}
