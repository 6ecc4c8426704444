package dev.kvorum.coordinator;

import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;

/**
 * Parameters of a range read.
 *
 * @param recordsMax largest number of records to return, at least 1
 */
public record RangeQuery(KeyRange keys, KeyOrder order, long recordsMax, Scope scope) {
  /** Whose records to read. */
  public enum Scope {
    /** Records of all members: the newest version of each key. */
    CLUSTER,
    /** Records of this node only, without regard to other members. */
    NODE
  }

  /** Returns whether the range cannot contain any key. */
  public boolean isEmpty() {
    return keys.start().isPresent()
        && keys.end().isPresent()
        && keys.start().get().compareTo(keys.end().get()) >= 0;
  }
}
