package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import java.util.List;
import java.util.Optional;

/** What a scan of a range found. */
public sealed interface ScanResult {
  /**
   * Records in the order of their keys, expired ones and tombstones included.
   *
   * @param next the last key that was scanned, after which to continue; empty at the range's end
   * @param mismatched keys whose records do not match their checksums and are left out; none where
   *     values were not asked for
   */
  record Page(List<Mutation> records, Optional<Key> next, List<Key> mismatched)
      implements ScanResult {
    /** A page from which nothing is left out. */
    public Page(List<Mutation> records, Optional<Key> next) {
      this(records, next, List.of());
    }
  }

  /** The replica cannot answer what is there. */
  record Unknown(RejectReason reason) implements ScanResult {}
}
