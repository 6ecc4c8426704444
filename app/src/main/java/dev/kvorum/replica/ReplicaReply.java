package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;
import java.util.List;
import java.util.Optional;

/**
 * What comes back for a {@link ReplicaRequest}, exactly once for each; what repair is told stands
 * in {@link SyncReply}.
 */
public sealed interface ReplicaReply
    permits ReplicaReply.Looked,
        ReplicaReply.Wrote,
        ReplicaReply.HintsDelivered,
        ReplicaReply.Page,
        ReplicaReply.Failed,
        SyncReply,
        TransferReply {
  /** The request was planned in an older epoch than the one of the replica. */
  Failed STALE_EPOCH = new Failed(Refusal.STALE_EPOCH);

  /** Another process of this member runs, and this one must not serve. */
  Failed FENCED = new Failed(Refusal.FENCED);

  /** A record does not match its checksum. */
  Failed MISMATCH = new Failed(Refusal.CHECKSUM_MISMATCH);

  /** The result of a read. */
  record Looked(Lookup lookup) implements ReplicaReply {}

  /** The result of a write. */
  record Wrote(Applied applied) implements ReplicaReply {
    static final Wrote STORED = new Wrote(Applied.Stored.STORED);
  }

  /** Hints that were delivered just now, and how many still wait. */
  record HintsDelivered(int delivered, long remaining) implements ReplicaReply {}

  /** A page of records, of a {@link ReplicaRequest.Scan} or {@link SyncRequest.Copy}. */
  record Page(List<Mutation> records, Optional<Key> next) implements ReplicaReply {}

  /** The request was refused, or nothing is known of it. */
  record Failed(Refusal reason) implements ReplicaReply {}
}
