package dev.kvorum.topology;

/** Phase of a membership change. */
public enum Phase {
  /** No change in progress. */
  STABLE,
  /** Writes go to the old and the new replicas, reads to the old ones; records are copied. */
  TRANSFERRING,
  /**
   * Writes and reads go to the old and the new replicas, until both have all that reads have
   * returned.
   */
  SETTLING
}
