package dev.kvorum.data;

/** The direction in which a range is read. */
public enum KeyOrder {
  /** From the first key to the last. */
  ASCENDING,
  /** From the last key to the first. */
  DESCENDING;

  /** Returns whether a key is read before another one. */
  public boolean isBefore(Key key, Key other) {
    int order = key.compareTo(other);
    return this == ASCENDING ? order < 0 : order > 0;
  }

  /** The part of a range that is read after a key. */
  public KeyRange rest(KeyRange range, Key key) {
    return this == ASCENDING ? range.after(key) : range.before(key);
  }
}
