package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.topology.MemberId;
import java.util.Optional;

/** What a replica asks of another one while the members change. */
public sealed interface TransferRequest extends ReplicaRequest {
  /** Send the topology; answered by {@link TransferReply.Known}, whatever the epoch. */
  record AskTopology() implements TransferRequest {
    public static final AskTopology ASK_TOPOLOGY = new AskTopology();
  }

  /**
   * Send complete records that {@code keeper} gains by the change of the members, in the order of
   * keys, behind {@code after}; answered by {@link TransferReply.Gained}.
   *
   * @param epoch of the change as {@code keeper} sees it; the other one must see the same
   * @param since 0: all of them; else those that may have come since the asked one began to send in
   *     the epoch before
   * @param sent sum of all that was sent before
   */
  record CopyGained(MemberId keeper, long epoch, long since, Optional<Key> after, RecordSum sent)
      implements TransferRequest {}
}
