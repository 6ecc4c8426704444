package dev.kvorum.storage;

/** What a node does about a store whose files are damaged. */
public enum OnDamage {
  /** Puts it aside and begins with an empty one, which is filled again from other replicas. */
  REBUILD,
  /** Does not open it; one that is open goes on and says what it cannot say. */
  REFUSE
}
