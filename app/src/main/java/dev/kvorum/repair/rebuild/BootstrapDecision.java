package dev.kvorum.repair.rebuild;

import dev.kvorum.replica.SyncReply.Status;
import java.util.Collection;

/** What an incomplete member decides from the others' statuses. */
enum BootstrapDecision {
  /** Too few have replied to decide. */
  WAIT,
  /** A majority has never held anything: the cluster begins now. */
  NEW_CLUSTER,
  /** A majority holds nothing though the cluster was founded before: its disks are lost. */
  DISKS_LOST,
  /** Another one saw the cluster begin, with this very store in it. */
  BORN_TOGETHER,
  /** There is something to be had from the others. */
  REBUILD;

  /**
   * The conclusion.
   *
   * @param founded whether the cluster is known to have begun before
   * @param blank whether this member has never held anything
   * @param members all of them, this one included
   * @param statuses the others' current replies
   */
  static BootstrapDecision of(
      boolean founded, boolean blank, int members, Collection<Status> statuses) {
    if (!blank) {
      return REBUILD;
    }
    if (statuses.stream().anyMatch(Status::bornTogether)) {
      return BORN_TOGETHER;
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
