package dev.kvorum.storage;

import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** What a replica found under a key. */
public sealed interface Lookup {
  /** The whole record. */
  record Found(Versioned record) implements Lookup {}

  /** A record of this version; its value was not asked for. */
  record FoundVersion(Version version) implements Lookup {}

  /** Nothing is stored under the key, not even a tombstone. */
  record Absent() implements Lookup {
    public static final Absent ABSENT = new Absent();
  }

  /** The replica cannot say: this is not an absence. */
  record Unknown(Refusal reason) implements Lookup {}
}
