package dev.kvorum.storage;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;

/** What became of a mutation on a replica. */
public sealed interface WriteResult {
  /** It is stored, or was already; durable as the store promises. */
  record Stored() implements WriteResult {
    public static final Stored STORED = new Stored();
  }

  /** A newer version is stored, as durably. */
  record Superseded(Version by) implements WriteResult {}

  /** It was not applied; only with {@link RejectReason#STORAGE_FAILED} it may have been. */
  record Refused(RejectReason reason) implements WriteResult {}
}
