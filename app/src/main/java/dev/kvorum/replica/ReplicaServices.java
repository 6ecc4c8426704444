package dev.kvorum.replica;

import dev.kvorum.data.RejectReason;

/**
 * The parts of a node that work behind its replica. They send requests through {@link Replicas},
 * which needs the replica first: so the replica gets them once, when all are there.
 *
 * @param hints delivers hints to the members that they are for
 * @param sync serves the anti-entropy and the rebuilds of other members
 * @param transfers serves members that gain records by a change of the members
 * @param votes what this replica may answer while records are missing
 * @param writes notified of each write before it is stored
 */
public record ReplicaServices(
    HintDelivery hints,
    SyncSource sync,
    TransferSource transfers,
    VotingRights votes,
    WriteListener writes) {
  /** Of a replica that has all records and serves no background work. */
  public static final ReplicaServices NONE =
      new ReplicaServices(
          (target, waiter) -> waiter.answer(new ReplicaReply.HintsDelivered(0, 0)),
          (request, loop, waiter) -> waiter.answer(new ReplicaReply.Failed(RejectReason.NOT_READY)),
          (copy, loop, waiter) -> waiter.answer(new ReplicaReply.Failed(RejectReason.NOT_READY)),
          VotingRights.COMPLETE,
          version -> {});
}
