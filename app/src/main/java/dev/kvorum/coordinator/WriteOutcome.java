package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import java.util.List;

/** How a write ended. */
public sealed interface WriteOutcome {
  /** At least {@code ack} replicas hold this version or a newer one that came meanwhile. */
  record Acknowledged(Version version) implements WriteOutcome {}

  /** Fewer confirmed it in time: it may be stored or not, and may show later. */
  record Indeterminate(Quorum quorum, List<ReplicaOutcome> answers) implements WriteOutcome {}

  /** No replica was asked; surely nothing was stored. */
  record Rejected(RejectReason reason) implements WriteOutcome {}
}
