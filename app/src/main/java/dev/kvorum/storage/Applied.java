package dev.kvorum.storage;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;

/** What became of a mutation on a replica. */
public sealed interface Applied {
  /** It is stored, or was already; durable as the store promises. */
  record Stored() implements Applied {
    public static final Stored STORED = new Stored();
  }

  /** A newer version is stored, as durably. */
  record Superseded(Version by) implements Applied {}

  /** It was not applied; only with {@link Refusal#STORAGE_FAILED} it may have been. */
  record Refused(Refusal reason) implements Applied {}
}
