package dev.kvorum.replica;

import dev.kvorum.data.Refusal;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Lookup;

/** What comes back for a {@link ReplicaRequest}, exactly once for each. */
public sealed interface ReplicaReply {
  /** The result of a read. */
  record Looked(Lookup lookup) implements ReplicaReply {}

  /** The result of a write. */
  record Wrote(Applied applied) implements ReplicaReply {
    static final Wrote STORED = new Wrote(Applied.Stored.STORED);
  }

  /** Hints that were delivered just now, and how many still wait. */
  record HintsDelivered(int delivered, long remaining) implements ReplicaReply {}

  /** The request was refused, or nothing is known of it. */
  record Failed(Refusal reason) implements ReplicaReply {}
}
