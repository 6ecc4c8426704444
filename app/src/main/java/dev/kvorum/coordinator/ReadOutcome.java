package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Versioned;
import java.util.List;

/** How a read ended. */
public sealed interface ReadOutcome {
  /** The newest record among the answers, alive. */
  record Found(Versioned record) implements ReadOutcome {}

  /** None of the answers has the key, or the newest is a tombstone or expired. */
  record NotFound() implements ReadOutcome {
    static final NotFound NOT_FOUND = new NotFound();
  }

  /** The values under way left no room for this one, or this process is fenced. */
  record Rejected(RejectReason reason) implements ReadOutcome {}

  /** Fewer than {@code ack} replicas answered in time; nothing is known of the key. */
  record Unanswered(Quorum quorum, List<ReplicaOutcome> answers) implements ReadOutcome {}
}
