package dev.kvorum.storage;

/** Reaction of a node to a store with corrupted files. */
public enum OnCorruption {
  /** Sets the store aside and starts with an empty one, which is rebuilt from other replicas. */
  REBUILD,
  /**
   * Does not open the store. A store that is already open continues; records that cannot be read
   * are reported as unknown.
   */
  FAIL
}
