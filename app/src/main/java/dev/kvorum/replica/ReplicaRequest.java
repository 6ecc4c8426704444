package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;

/** What one node may ask of another; what repair asks stands in {@link SyncRequest}. */
public sealed interface ReplicaRequest
    permits ReplicaRequest.Read,
        ReplicaRequest.Write,
        ReplicaRequest.PullHints,
        ReplicaRequest.Scan,
        SyncRequest,
        TransferRequest {
  /** Look a record up; answered by {@link ReplicaReply.Looked}. */
  record Read(Key key, Detail detail) implements ReplicaRequest {}

  /** Keep a mutation; answered by {@link ReplicaReply.Wrote}. */
  record Write(Mutation mutation) implements ReplicaRequest {}

  /**
   * Deliver some of the hints kept for the asking member; answered by {@link
   * ReplicaReply.HintsDelivered}.
   */
  record PullHints(MemberId target) implements ReplicaRequest {}

  /** Read a page of a range, whole records; answered by {@link ReplicaReply.Page}. */
  record Scan(KeyRange range, ScanLimits limits) implements ReplicaRequest {}
}
