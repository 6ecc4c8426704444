package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import java.util.List;

/** Outcome of a read. */
public sealed interface ReadOutcome {
  /** The newest record among the replies; it is live. */
  record Found(Versioned record) implements ReadOutcome {}

  /** No reply has the key, or the newest record is a tombstone or has expired. */
  record NotFound() implements ReadOutcome {
    static final NotFound NOT_FOUND = new NotFound();
  }

  /**
   * The read was rejected: the values in flight left no memory for this one, or this process is
   * fenced.
   */
  record Rejected(RejectReason reason) implements ReadOutcome {}

  /** Fewer than {@code ack} replicas replied in time; whether the key exists is unknown. */
  record NoQuorum(Quorum quorum, List<ReplicaOutcome> replies) implements ReadOutcome {}
}
