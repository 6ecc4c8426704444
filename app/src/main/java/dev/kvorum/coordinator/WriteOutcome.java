package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import java.util.List;

/** Outcome of a write. */
public sealed interface WriteOutcome {
  /** At least {@code ack} replicas have this version or a newer one written meanwhile. */
  record Acknowledged(Version version) implements WriteOutcome {}

  /**
   * Fewer than {@code ack} replicas confirmed in time. The write may be stored, and may become
   * visible later.
   */
  record Indeterminate(Quorum quorum, List<ReplicaOutcome> replies) implements WriteOutcome {}

  /** No replica was asked, so nothing was stored. */
  record Rejected(RejectReason reason) implements WriteOutcome {}
}
