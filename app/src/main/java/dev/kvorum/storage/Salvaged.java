package dev.kvorum.storage;

import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import java.util.Collection;
import java.util.List;

/** Result of reading a page from set-aside corrupted stores. */
public sealed interface Salvaged {
  /** Number of unreadable ranges that are kept apart. */
  int UNREADABLE_MAX = 10_000;

  /**
   * Records in key order, store by store.
   *
   * @param unreadable key ranges before the last of these records that contain unreadable records
   * @param isLast whether this is the last page
   */
  record Page(List<Salvageable> records, List<KeyRange> unreadable, boolean isLast)
      implements Salvaged {}

  /** The current store cannot be read now; ask again later for the page. */
  record Failed(String reason) implements Salvaged {}

  /**
   * A readable record.
   *
   * @param isNewest whether the store had nothing newer under this key. False if unreadable parts
   *     may contain a newer version or the removal of this one
   */
  record Salvageable(Mutation mutation, boolean isNewest) {}

  /** Adds unreadable ranges to others; where they are too many, all keys count as unreadable. */
  static void addUnreadable(Collection<KeyRange> unreadable, List<KeyRange> found) {
    unreadable.addAll(found);
    if (unreadable.size() > UNREADABLE_MAX) {
      unreadable.clear();
      unreadable.add(KeyRange.ALL);
    }
  }
}
