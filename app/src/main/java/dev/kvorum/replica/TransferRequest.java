package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.topology.MemberId;
import java.util.Optional;

/** Request from one replica to another during a membership change. */
public sealed interface TransferRequest extends ReplicaRequest {
  /** Requests the topology; the reply is {@link TransferReply.Known}, whatever the epoch. */
  record AskTopology() implements TransferRequest {
    public static final AskTopology ASK_TOPOLOGY = new AskTopology();
  }

  /**
   * Requests complete records that {@code keeper} gains in the membership change, in key order,
   * behind {@code after}. The reply is {@link TransferReply.Gained}.
   *
   * @param epoch epoch of the change at {@code keeper}; the receiver must have the same one
   * @param since 0 for all records; otherwise only those that may have arrived since the receiver
   *     started to send in the epoch before
   * @param sent sum of all records sent before
   */
  record CopyGained(MemberId keeper, long epoch, long since, Optional<Key> after, RecordSum sent)
      implements TransferRequest {
    /** The same request for the records behind a page. */
    public CopyGained behind(Optional<Key> last, RecordSum sentBefore) {
      return new CopyGained(keeper, epoch, since, last, sentBefore);
    }
  }
}
