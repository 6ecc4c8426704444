package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Optional;

/** What comes back for a {@link TransferRequest}. */
public sealed interface TransferReply extends ReplicaReply {
  /** Who the members are. */
  record Known(Topology topology) implements TransferReply {}

  /**
   * A page of what a member gains.
   *
   * @param next the last key that was looked at; empty at the end
   * @param sent sum of all that was sent, this page included
   */
  record Gained(List<Mutation> records, Optional<Key> next, RecordSum sent)
      implements TransferReply {}
}
