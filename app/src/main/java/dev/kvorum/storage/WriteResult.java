package dev.kvorum.storage;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;

/** Outcome of a mutation on a replica. */
public sealed interface WriteResult {
  /** The mutation is stored, or was already, as durably as the store promises. */
  record Stored() implements WriteResult {
    public static final Stored STORED = new Stored();
  }

  /** A newer version is stored, equally durably. */
  record Superseded(Version by) implements WriteResult {}

  /**
   * The mutation was not applied; only with {@link RejectReason#STORAGE_FAILED} it may have been.
   */
  record Rejected(RejectReason reason) implements WriteResult {}
}
