package dev.kvorum.data;

import java.util.Optional;

/**
 * A range of keys in the order of their bytes.
 *
 * @param start where it begins; empty: at the first key
 * @param startIncluded whether {@code start} itself is in it
 * @param end the first key behind it; empty: there is none
 */
public record KeyRange(Optional<Key> start, boolean startIncluded, Optional<Key> end) {
  /** All keys. */
  public static final KeyRange ALL = new KeyRange(Optional.empty(), true, Optional.empty());

  /** What is left of this range behind a key. */
  public KeyRange after(Key key) {
    return new KeyRange(Optional.of(key), false, end);
  }

  /** Whether a key is in this range. */
  public boolean contains(Key key) {
    int fromStart = start.map(key::compareTo).orElse(1);
    return (fromStart > 0 || (fromStart == 0 && startIncluded))
        && end.map(last -> key.compareTo(last) < 0).orElse(true);
  }

  /** Exactly one key. */
  public static KeyRange only(Key key) {
    return new KeyRange(Optional.of(key), true, key.next());
  }

  /** Whether some key may be in both. */
  public boolean overlaps(KeyRange other) {
    return beginsBeforeEndOf(other) && other.beginsBeforeEndOf(this);
  }

  private boolean beginsBeforeEndOf(KeyRange other) {
    return start.isEmpty() || other.end.isEmpty() || start.get().compareTo(other.end.get()) < 0;
  }
}
