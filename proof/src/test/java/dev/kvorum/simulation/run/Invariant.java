package dev.kvorum.simulation.run;

/** What must never happen; {@link Invariants} watches. */
public enum Invariant {
  /** A write that a majority acknowledged is lost. */
  LOST,
  /** Versions go back: for quorum reads in the order of real time, or within a session. */
  WENT_BACK,
  /** A delete that a majority acknowledged is undone. */
  DELETE_UNDONE,
  /** Replicas differ, or hints are left, long after all faults have healed. */
  DIVERGED,
  /** A member holds a record that it was not asked to hold. */
  TOO_MANY_COPIES,
  /** A request of an older epoch is served. */
  STALE_EPOCH,
  /** A value is seen after its expiry, or lost before it. */
  EXPIRY,
  /** A range is unsorted, repeats a key or misses one that was there throughout. */
  RANGE,
  /** A request that the live members could confirm fails, or one is rejected without a cause. */
  UNAVAILABLE,
  /** A reply is false: acknowledged before it was durable, or rejected and stored all the same. */
  FALSE_REPLY,
  /**
   * What the others assume: values that no client wrote, one version for two records, a task of a
   * node that threw, a healed cluster that does not answer.
   */
  UNSOUND,
  /** A write takes effect so late that its client may have given up and written again. */
  LATE;

  /** Something that happened all the same. */
  public record Violation(Invariant invariant, long atMillis, String what) {
    @Override
    public String toString() {
      return invariant + " at " + atMillis + " ms: " + what;
    }
  }
}
