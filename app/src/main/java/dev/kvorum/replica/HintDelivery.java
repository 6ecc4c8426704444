package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;

/** Delivers the hints that this node keeps for a member. */
public interface HintDelivery {
  /** Delivers some of the hints for a member that asks for them, then replies how many are left. */
  void deliverSome(MemberId target, Waiter<ReplicaReply> waiter);
}
