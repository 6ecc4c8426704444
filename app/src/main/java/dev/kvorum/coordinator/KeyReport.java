package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What each replica of a key has, and what a read returns while they have it.
 *
 * @param epoch epoch in which the replicas were determined
 * @param quorum quorum of the read
 * @param newest newest record among the replies of the replicas that a read asks, without its value
 * @param copies a write's replicas, most preferred first
 */
public record KeyReport(
    int slot,
    long epoch,
    Phase phase,
    Quorum quorum,
    Result result,
    Optional<Versioned> newest,
    List<Copy> copies) {
  /** What the read returns. */
  public enum Result {
    /** The newest record is a live value. */
    VALUE,
    /** The newest record is a tombstone. */
    DELETED,
    /** The newest record has expired. */
    EXPIRED,
    /** No replica that replied has a record. */
    ABSENT,
    /** Too few replicas replied. */
    NO_QUORUM
  }

  /**
   * One replica.
   *
   * @param outcome its reply: {@code found}, {@code absent}, or why there was none
   * @param isRead whether reads ask it; during a membership change some replicas are only written
   * @param record its record without the value, or null
   * @param valueBytes length of the value
   * @param hintsWaiting hints, of any key, that this node keeps for the replica
   */
  public record Copy(
      ReplicaOutcome outcome,
      boolean isRead,
      @Nullable Versioned record,
      int valueBytes,
      long hintsWaiting) {
    public MemberId member() {
      return outcome.replica();
    }

    /** Version of its record; {@link Version#NONE} if there is none. */
    public Version version() {
      return record == null ? Version.NONE : record.version();
    }
  }

  /** The outcomes of the replicas that a read asks. */
  public List<ReplicaOutcome> outcomes() {
    return copies.stream().filter(Copy::isRead).map(Copy::outcome).toList();
  }
}
