package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;

/** A client's change to one key. */
public sealed interface Change {
  /**
   * Stores a value.
   *
   * @param ttlMillis time to live, or 0 if the value does not expire
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Put(byte[] value, long ttlMillis) implements Change {}

  /** Removes the key. */
  record Delete() implements Change {}

  /** Creates the record for this change. A TTL becomes an absolute expiry here, once. */
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
