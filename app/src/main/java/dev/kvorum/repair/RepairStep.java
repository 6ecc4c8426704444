package dev.kvorum.repair;

import dev.kvorum.repair.rebuild.JoinStatus;
import dev.kvorum.repair.state.RepairMarks;
import java.util.function.BooleanSupplier;

/** The next step of a member's repair, by the marks of its store (ADR 0009). */
enum RepairStep {
  /** The store is new and needs a number that no other store of this member has had. */
  NUMBER_THE_STORE,

  /** The node stopped between the decision to reset its store and the empty store. */
  RESUME_RESET,

  /** The member joins again with records whose tombstones its peers may have removed. */
  RESET_BEFORE_JOINING,

  /** The member is new; it receives its records through the membership change. */
  JOIN,

  /** Slots are missing because a disk was lost or corrupted. */
  REBUILD,

  /**
   * The member was down or cut off so long that its peers may have removed tombstones without it.
   */
  CHECK_FOR_MISSED_PURGES,

  /** This member has all of its slots. */
  COMPLETE;

  /** The first step above that applies. */
  static RepairStep next(
      RepairMarks marks, JoinStatus joining, BooleanSupplier mayHaveMissedPurges) {
    if (marks.get(RepairMarks.LIFE) == 0) {
      return NUMBER_THE_STORE;
    }
    if (marks.get(RepairMarks.RESETTING) != 0) {
      return RESUME_RESET;
    }
    if (joining.bringsOldRecords()) {
      return RESET_BEFORE_JOINING;
    }
    if (marks.get(RepairMarks.COMPLETE) == 0) {
      return joining.isUnderWay() ? JOIN : REBUILD;
    }
    return mayHaveMissedPurges.getAsBoolean() ? CHECK_FOR_MISSED_PURGES : COMPLETE;
  }
}
