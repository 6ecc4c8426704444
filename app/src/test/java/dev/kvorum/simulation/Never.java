package dev.kvorum.simulation;

/** What must never happen, in the order in which the design lists it; {@link Nevers} watches. */
enum Never {
  /** A write that a majority acknowledged is lost. */
  LOST(1),
  /** Versions go back: for quorum reads in the order of real time, or within a session. */
  WENT_BACK(2),
  /** A delete that a majority acknowledged is undone. */
  DELETE_UNDONE(3),
  /** Replicas differ, or hints are left, long after all faults have healed. */
  DIVERGED(4),
  /** A member holds a record that it was not asked to hold. */
  TOO_MANY_COPIES(5),
  /** A request of an older epoch is served. */
  STALE_EPOCH(6),
  /** A value is seen after its expiry, or lost before it. */
  EXPIRY(7),
  /** A range is unsorted, repeats a key or misses one that was there throughout. */
  RANGE(8),
  /** An answer lies: acknowledged before it was durable, or rejected and stored all the same. */
  LIED(9),
  /**
   * What the list takes for granted: values that nobody wrote, one version for two records, a task
   * of a node that threw, a healed cluster that does not answer.
   */
  UNSOUND(10),
  /** A write takes effect so late that its client may have given up and written anew. */
  LATE(11);

  final int number;

  Never(int number) {
    this.number = number;
  }

  /** Something that happened all the same. */
  record Violation(Never never, long atMillis, String what) {
    @Override
    public String toString() {
      return "never " + never.number + " (" + never + ") at " + atMillis + " ms: " + what;
    }
  }
}
