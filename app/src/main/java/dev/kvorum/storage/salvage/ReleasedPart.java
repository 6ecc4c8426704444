package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a set-aside store that may have been deleted because its records are stored again. It
 * is recorded before the first deletion, with all that only that part could tell.
 *
 * @param isWhole whether the part is the whole store
 * @param upTo otherwise the last key of the part; empty: there is no such part
 * @param isLogComplete whether all synced writes of the store's log could be read
 * @param hasSingleCopies whether records with a single copy were read
 * @param unreadable key ranges with unreadable records, as far as they were found
 */
public record ReleasedPart(
    boolean isWhole,
    Optional<Key> upTo,
    boolean isLogComplete,
    boolean hasSingleCopies,
    List<KeyRange> unreadable) {
  /** Nothing is known about what was read: anything may be lost. */
  public static final ReleasedPart UNKNOWN =
      new ReleasedPart(false, Optional.empty(), false, true, List.of(KeyRange.ALL));

  /** The same after the new store with these records was reset: nothing can be read there. */
  ReleasedPart lost() {
    List<KeyRange> all = new ArrayList<>(unreadable);
    if (isWhole) {
      all.add(KeyRange.ALL);
    } else if (upTo.isPresent()) {
      all.add(new KeyRange(Optional.empty(), true, upTo.get().next()));
    }
    return new ReleasedPart(isWhole, upTo, isLogComplete, hasSingleCopies, all);
  }
}
