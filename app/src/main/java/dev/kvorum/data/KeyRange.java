package dev.kvorum.data;

import java.util.Optional;

/**
 * A range of keys in byte order.
 *
 * @param start start of the range; empty: the first key
 * @param startIncluded whether the range contains {@code start}
 * @param end the first key behind the range; empty: no end
 */
public record KeyRange(Optional<Key> start, boolean startIncluded, Optional<Key> end) {
  /** All keys. */
  public static final KeyRange ALL = new KeyRange(Optional.empty(), true, Optional.empty());

  /** The range of all keys that begin with the bytes of this one. */
  public static KeyRange ofPrefix(Key prefix) {
    return new KeyRange(Optional.of(prefix), true, prefix.prefixEnd());
  }

  /** The rest of this range behind a key. */
  public KeyRange after(Key key) {
    return new KeyRange(Optional.of(key), false, end);
  }

  /** The part of this range before a key. */
  public KeyRange before(Key key) {
    return new KeyRange(start, startIncluded, Optional.of(key));
  }

  /** Returns whether a key is in this range. */
  public boolean contains(Key key) {
    int fromStart = start.map(key::compareTo).orElse(1);
    return (fromStart > 0 || (fromStart == 0 && startIncluded))
        && end.map(last -> key.compareTo(last) < 0).orElse(true);
  }

  /** The range of exactly one key. */
  public static KeyRange only(Key key) {
    return new KeyRange(Optional.of(key), true, key.next());
  }

  /** Returns whether a key may be in both ranges. */
  public boolean overlaps(KeyRange other) {
    return beginsBeforeEndOf(other) && other.beginsBeforeEndOf(this);
  }

  private boolean beginsBeforeEndOf(KeyRange other) {
    return start.isEmpty() || other.end.isEmpty() || start.get().compareTo(other.end.get()) < 0;
  }
}
