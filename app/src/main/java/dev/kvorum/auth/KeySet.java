package dev.kvorum.auth;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A set of keys: ranges that neither overlap nor touch, in order, so that one binary search finds
 * the only one that may have a key.
 */
final class KeySet {
  /** The smallest key. */
  private static final Key FIRST = Key.ofBytes(new byte[] {0});

  /** No keys. */
  static final KeySet NONE = of(List.of());

  private final Key[] starts;

  /** The first key behind each; null: it has no end. */
  private final @Nullable Key[] ends;

  private KeySet(Key[] starts, @Nullable Key[] ends) {
    this.starts = starts;
    this.ends = ends;
  }

  /** The union of ranges. */
  static KeySet of(Collection<KeyRange> ranges) {
    List<Key> starts = new ArrayList<>();
    List<@Nullable Key> ends = new ArrayList<>();
    ranges.stream()
        .sorted(Comparator.comparing(KeySet::start))
        .forEach(range -> {
          Key end = range.end().orElse(null);
          int last = ends.size() - 1;
          if (last < 0 || isBefore(ends.get(last), start(range))) {
            starts.add(start(range));
            ends.add(end);
          } else if (isBefore(ends.get(last), end)) {
            ends.set(last, end);
          }
        });
    return new KeySet(starts.toArray(Key[]::new), ends.toArray(Key[]::new));
  }

  /** Whether one end is before another, or before a key. */
  private static boolean isBefore(@Nullable Key end, @Nullable Key other) {
    return end != null && (other == null || end.compareTo(other) < 0);
  }

  /** The first key of a range; the largest one if it has none. */
  private static Key start(KeyRange range) {
    Key start = range.start().orElse(FIRST);
    return range.startIncluded() ? start : start.next().orElse(start);
  }

  boolean contains(Key key) {
    int at = at(key);
    return at >= 0 && !isEnded(at, key);
  }

  /** Whether all keys of a range are in this set, also those that do not exist. */
  boolean containsAll(KeyRange range) {
    int at = at(start(range));
    Optional<Key> end = range.end();
    return at >= 0
        && !isEnded(at, start(range))
        && (ends[at] == null || end.filter(it -> it.compareTo(ends[at]) <= 0).isPresent());
  }

  private boolean isEnded(int at, Key key) {
    Key end = ends[at];
    return end != null && end.compareTo(key) <= 0;
  }

  /** The last range that begins at a key or before it; -1: there is none. */
  private int at(Key key) {
    int found = Arrays.binarySearch(starts, key);
    return found >= 0 ? found : -found - 2;
  }
}
