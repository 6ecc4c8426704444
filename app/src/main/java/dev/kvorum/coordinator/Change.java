package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** What a client wants to do to a key. */
public sealed interface Change {
  /**
   * Store a value.
   *
   * @param ttlMillis how long it lives, or 0 for ever
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Put(byte[] value, long ttlMillis) implements Change {}

  /** Remove the key. */
  record Delete() implements Change {}

  /** The record that this change makes; a TTL turns into an absolute expiry here, once. */
  default Versioned record(Version version, int from, long nowMillis) {
    return switch (this) {
      case Put put -> {
        long expiry = put.ttlMillis() == 0 ? Versioned.NEVER : nowMillis + put.ttlMillis();
        yield Versioned.live(version, expiry, from, put.value());
      }
      case Delete delete -> Versioned.tombstone(version, from);
    };
  }
}
