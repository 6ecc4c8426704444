package dev.kvorum.repair.rebuild;

import dev.kvorum.replica.RepairReply.Status;
import java.util.Collection;

/** What an incomplete member does next, decided from the status of its peers. */
enum BootstrapDecision {
  /** Fewer than a majority of the members have replied. */
  WAIT,
  /** A majority has never held data: this is a new cluster. */
  NEW_CLUSTER,
  /** A majority holds nothing although the cluster was founded before: its disks are lost. */
  DISKS_LOST,
  /** A peer was present when the cluster was founded with this very store. */
  FOUNDED_TOGETHER,
  /** A peer has data, or this member had. */
  REBUILD;

  /**
   * Decides.
   *
   * @param founded whether the cluster is known to have been founded before
   * @param blank whether this member has never held data
   * @param members number of members, this one included
   * @param statuses current replies of the peers
   */
  static BootstrapDecision of(
      boolean founded, boolean blank, int members, Collection<Status> statuses) {
    if (!blank) {
      return REBUILD;
    }
    if (statuses.stream().anyMatch(Status::foundedTogether)) {
      return FOUNDED_TOGETHER;
    }
    if (statuses.stream().anyMatch(status -> !status.blank())) {
      return REBUILD;
    }
    if (2 * (statuses.size() + 1) <= members) {
      return WAIT;
    }
    return founded ? DISKS_LOST : NEW_CLUSTER;
  }
}
