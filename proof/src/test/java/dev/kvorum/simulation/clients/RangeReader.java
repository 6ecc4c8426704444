package dev.kvorum.simulation.clients;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.simulation.run.Invariant;
import dev.kvorum.simulation.run.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Watches {@link Invariant#RANGE}: follows one stream of a range from its beginning to its end. */
final class RangeReader {
  private final Invariants invariants;
  private final String name;
  private final KeyRange range;
  private final Supplier<SortedSet<Key>> content;
  private final SortedSet<Key> throughout;
  private final List<Key> seen = new ArrayList<>();

  /**
   * A stream that begins now.
   *
   * @param content the keys that the stream should show at the moment
   */
  RangeReader(
      Invariants invariants, String name, KeyRange range, Supplier<SortedSet<Key>> content) {
    this.invariants = invariants;
    this.name = name;
    this.range = range;
    this.content = content;
    this.throughout = new TreeSet<>(content.get());
  }

  /** Some more keys have come; keys passed over need not come any more. */
  void page(List<Key> keys, Optional<Key> next) {
    for (Key key : keys) {
      if (!seen.isEmpty() && key.compareTo(seen.getLast()) <= 0) {
        invariants.violated(Invariant.RANGE, name + ": " + key + " behind " + seen.getLast());
      }
      if (!range.contains(key)) {
        invariants.violated(Invariant.RANGE, name + ": " + key + " is not in " + range);
      }
      seen.add(key);
    }
    throughout.retainAll(content.get());
    if (next.isEmpty()) {
      throughout.removeIf(key -> !range.contains(key));
      throughout.removeAll(seen);
      if (!throughout.isEmpty()) {
        invariants.violated(Invariant.RANGE, name + ": misses " + throughout);
      }
    }
  }
}
