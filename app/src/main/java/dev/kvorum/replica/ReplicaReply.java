package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.WriteResult;
import java.util.List;
import java.util.Optional;

/**
 * What comes back for a {@link ReplicaRequest}, exactly once for each; replies for repair are in
 * {@link SyncReply}.
 */
public sealed interface ReplicaReply
    permits ReplicaReply.ReadReply,
        ReplicaReply.WriteReply,
        ReplicaReply.HintsDelivered,
        ReplicaReply.Page,
        ReplicaReply.Failed,
        SyncReply,
        TransferReply {
  /** The request was planned in an older epoch than the one of the replica. */
  Failed STALE_EPOCH = new Failed(RejectReason.STALE_EPOCH);

  /** Another process of this member runs, and this one must not serve. */
  Failed FENCED = new Failed(RejectReason.FENCED);

  /** A record does not match its checksum. */
  Failed MISMATCH = new Failed(RejectReason.CHECKSUM_MISMATCH);

  /** The result of a read. */
  record ReadReply(ReadResult lookup) implements ReplicaReply {}

  /** The result of a write. */
  record WriteReply(WriteResult applied) implements ReplicaReply {
    public static final WriteReply STORED = new WriteReply(WriteResult.Stored.STORED);
  }

  /** Hints that were delivered just now, and how many still wait. */
  record HintsDelivered(int delivered, long remaining) implements ReplicaReply {}

  /** A page of records, of a {@link ReplicaRequest.Scan} or {@link SyncRequest.Copy}. */
  record Page(List<Mutation> records, Optional<Key> next) implements ReplicaReply {}

  /** The request was refused, or nothing is known of it. */
  record Failed(RejectReason reason) implements ReplicaReply {}
}
