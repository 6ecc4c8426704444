package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keys of which an acknowledged record may be permanently lost: neither the corrupted store nor
 * enough peers could restore it. A record that is absent under one of them is unknown, not absent.
 *
 * @param ranges key ranges that could not be read in corrupted stores
 * @param slots slots in which too few peers have all acknowledged records
 */
public record LostKeys(List<KeyRange> ranges, BitSet slots) {
  /** No lost keys. */
  public static final LostKeys NONE = new LostKeys(List.of(), new BitSet());

  /** Copies the arguments. */
  public LostKeys {
    ranges = List.copyOf(ranges);
    slots = (BitSet) slots.clone();
  }

  /** Returns whether no key is lost. */
  public boolean isEmpty() {
    return ranges.isEmpty() || slots.isEmpty();
  }

  /**
   * Returns at least the keys of both: also ranges of one of them in slots of the other, which only
   * means that more absent records count as lost.
   */
  public LostKeys with(LostKeys other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    Set<KeyRange> all = new LinkedHashSet<>(ranges);
    all.addAll(other.ranges);
    BitSet both = (BitSet) slots.clone();
    both.or(other.slots);
    return new LostKeys(List.copyOf(all), both);
  }

  /**
   * Returns whether an absent record of a key may be lost.
   *
   * @param slot the key's slot
   */
  public boolean contains(Key key, int slot) {
    return slots.get(slot) && ranges.stream().anyMatch(range -> range.contains(key));
  }

  /** Returns whether a lost record may be missing in a range. */
  public boolean overlaps(KeyRange range) {
    return !slots.isEmpty() && ranges.stream().anyMatch(range::overlaps);
  }
}
