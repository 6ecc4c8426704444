package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * Reply to a {@link ReplicaRequest}, exactly one per request. Replies for repair are in {@link
 * RepairReply}.
 */
public sealed interface ReplicaReply
    permits ReplicaReply.ReadReply,
        ReplicaReply.WriteReply,
        ReplicaReply.HintsDelivered,
        ReplicaReply.Page,
        ReplicaReply.Failed,
        RepairReply,
        TransferReply {
  /** The request was planned in an older epoch than the replica's. */
  Failed STALE_EPOCH = new Failed(RejectReason.STALE_EPOCH);

  /** Another process of this member is running, and this process must not serve. */
  Failed FENCED = new Failed(RejectReason.FENCED);

  /** A record does not match its checksum. */
  Failed MISMATCH = new Failed(RejectReason.CHECKSUM_MISMATCH);

  /** Reply of a member that cannot serve this yet, such as copies of records. */
  Failed NOT_READY = new Failed(RejectReason.NOT_READY);

  /** The result of a read. */
  record ReadReply(ReadResult lookup) implements ReplicaReply {}

  /** The result of a write. */
  record WriteReply(WriteResult applied) implements ReplicaReply {
    public static final WriteReply STORED = new WriteReply(WriteResult.Stored.STORED);
  }

  /** Number of hints just delivered and number still waiting. */
  record HintsDelivered(int delivered, long remaining) implements ReplicaReply {}

  /** A page of records, for a {@link ReplicaRequest.Scan} or {@link RepairRequest.Copy}. */
  record Page(List<Mutation> records, Optional<Key> next) implements ReplicaReply {}

  /** The request was rejected, or its outcome is unknown. */
  record Failed(RejectReason reason) implements ReplicaReply {}
}
