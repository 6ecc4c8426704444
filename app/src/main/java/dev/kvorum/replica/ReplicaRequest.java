package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;

/** What one node may ask of another. */
public sealed interface ReplicaRequest {
  /** Look a record up; answered by {@link ReplicaReply.Looked}. */
  record Read(Key key, Detail detail) implements ReplicaRequest {}

  /** Keep a mutation; answered by {@link ReplicaReply.Wrote}. */
  record Write(Mutation mutation) implements ReplicaRequest {}

  /**
   * Deliver some of the hints kept for the asking member; answered by {@link
   * ReplicaReply.HintsDelivered}.
   */
  record PullHints(MemberId target) implements ReplicaRequest {}
}
