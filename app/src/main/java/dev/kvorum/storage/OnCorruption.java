package dev.kvorum.storage;

/** What a node does about a store whose files are corrupted. */
public enum OnCorruption {
  /** Sets it aside and begins with an empty one, which is rebuilt from other replicas. */
  REBUILD,
  /** Does not open it; an open store continues and reports what it cannot read as unknown. */
  REFUSE
}
