package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import java.util.List;
import java.util.Optional;

/** Result of a scan of a range. */
public sealed interface ScanResult {
  /**
   * Records in the order of the scan, including expired ones and tombstones.
   *
   * @param next the last key that was scanned, after which to continue; empty at the range's end
   * @param mismatched keys whose records do not match their checksums and are left out; empty if
   *     values were not requested
   */
  record Page(List<Mutation> records, Optional<Key> next, List<Key> mismatched)
      implements ScanResult {
    /** Creates a page without mismatches. */
    public Page(List<Mutation> records, Optional<Key> next) {
      this(records, next, List.of());
    }
  }

  /** The replica cannot reply. */
  record Unknown(RejectReason reason) implements ScanResult {}
}
