package dev.kvorum.replica;

/**
 * Background services behind the replica. They send requests through {@link Replicas}, which needs
 * the replica first. The replica therefore receives them later, all at once.
 *
 * @param hints delivers hints to their target members
 * @param repair serves anti-entropy and rebuilds of other members
 * @param transfers serves members that gain records in a membership change
 * @param votes decides what this replica may reply while records are missing
 * @param writes notified of each write before it is stored
 */
public record ReplicaServices(
    HintDelivery hints,
    RepairSource repair,
    TransferSource transfers,
    VotingRights votes,
    WriteListener writes) {
  /** Services of a replica that has all records and does no background work. */
  public static final ReplicaServices NONE =
      new ReplicaServices(
          (target, waiter) -> waiter.reply(new ReplicaReply.HintsDelivered(0, 0)),
          (request, loop, waiter) -> waiter.reply(ReplicaReply.NOT_READY),
          (copy, loop, waiter) -> waiter.reply(ReplicaReply.NOT_READY),
          VotingRights.COMPLETE,
          version -> {});
}
