package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import java.util.List;
import java.util.Optional;

/** What a scan of a range found. */
public sealed interface Scanned {
  /**
   * Records in the order of their keys, expired ones and tombstones included.
   *
   * @param next the last key that was looked at, behind which to go on; empty at the range's end
   * @param mismatched keys whose records do not match their checksums and are left out; none where
   *     values were not asked for
   */
  record Page(List<Mutation> records, Optional<Key> next, List<Key> mismatched) implements Scanned {
    /** A page from which nothing is left out. */
    public Page(List<Mutation> records, Optional<Key> next) {
      this(records, next, List.of());
    }
  }

  /** The replica cannot say what is there. */
  record Unknown(Refusal reason) implements Scanned {}
}
