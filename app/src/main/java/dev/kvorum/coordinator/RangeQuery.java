package dev.kvorum.coordinator;

import dev.kvorum.data.KeyRange;

/**
 * What a client wants of a range.
 *
 * @param recordsMax most records, 1 or more
 */
public record RangeQuery(KeyRange keys, long recordsMax, Scope scope) {
  /** Whose records are wanted. */
  public enum Scope {
    /** Those of all members, the newest version of each key. */
    CLUSTER,
    /** Those that this node holds, whatever the others have. */
    NODE
  }

  /** Whether no key can be in it. */
  public boolean isEmpty() {
    return keys.start().isPresent()
        && keys.end().isPresent()
        && keys.start().get().compareTo(keys.end().get()) >= 0;
  }
}
