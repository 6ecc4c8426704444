package dev.kvorum.storage;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** Result of a read on a replica. */
public sealed interface ReadResult {
  /** The complete record. */
  record Found(Versioned record) implements ReadResult {}

  /** A record of this version; its value was not requested. */
  record FoundVersion(Version version) implements ReadResult {}

  /** Nothing is stored under the key, not even a tombstone. */
  record Absent() implements ReadResult {
    public static final Absent ABSENT = new Absent();
  }

  /** The replica cannot reply. This is no absence. */
  record Unknown(RejectReason reason) implements ReadResult {}
}
