package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.BitSet;
import java.util.List;

/**
 * Keys of which an acknowledged record may be permanently lost: neither the corrupted store nor
 * enough peers could restore it. A record that is absent under one of them is unknown, not absent.
 *
 * @param ranges that could not be read of corrupted stores
 * @param slots in which too few peers have all that was acknowledged
 */
public record LostKeys(List<KeyRange> ranges, BitSet slots) {
  /** Nothing is lost. */
  public static final LostKeys NONE = new LostKeys(List.of(), new BitSet());

  /** Keeps copies of its own. */
  public LostKeys {
    ranges = List.copyOf(ranges);
    slots = (BitSet) slots.clone();
  }

  /** Whether nothing is lost. */
  public boolean isEmpty() {
    return ranges.isEmpty() || slots.isEmpty();
  }

  /**
   * Whether what is absent under a key may be a lost record.
   *
   * @param slot the key's
   */
  public boolean contains(Key key, int slot) {
    return slots.get(slot) && ranges.stream().anyMatch(range -> range.contains(key));
  }

  /** Whether a lost record may be missing in a range. */
  public boolean overlaps(KeyRange range) {
    return !slots.isEmpty() && ranges.stream().anyMatch(range::overlaps);
  }
}
