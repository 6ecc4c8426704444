package dev.kvorum.replica;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Optional;

/** Reply to a {@link TransferRequest}. */
public sealed interface TransferReply extends ReplicaReply {
  /** The topology of the replying member. */
  record Known(Topology topology) implements TransferReply {}

  /**
   * A page of records that a member gains.
   *
   * @param next the last key that was scanned; empty at the end
   * @param sent sum of all records sent, including this page
   */
  record Gained(List<Mutation> records, Optional<Key> next, RecordSum sent)
      implements TransferReply {}
}
