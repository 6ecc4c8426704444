package dev.kvorum.storage;

import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import java.util.List;

/** What came of reading on in corrupted stores that were set aside. */
public sealed interface Salvaged {
  /**
   * Records in the order of their keys, store by store.
   *
   * @param unreadable key ranges before the last of these records of which some cannot be read
   * @param isLast whether nothing follows
   */
  record Page(List<Salvageable> records, List<KeyRange> unreadable, boolean isLast)
      implements Salvaged {}

  /** The stores cannot be read at the moment; to be begun again later. */
  record Failed(String reason) implements Salvaged {}

  /**
   * A record that could be read.
   *
   * @param isNewest whether the store held nothing newer under this key; false where a newer
   *     version, or the removal of this one, may be among what cannot be read
   */
  record Salvageable(Mutation mutation, boolean isNewest) {}
}
