package dev.kvorum.coordinator;

import dev.kvorum.data.RecordKind;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import java.util.function.LongSupplier;

/** A client's change to one key. */
public sealed interface Change {
  /**
   * Stores a value.
   *
   * @param ttlMillis time to live, or 0 if the value does not expire
   * @param kind what the bytes are
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Put(byte[] value, long ttlMillis, RecordKind kind) implements Change {
    /** Stores a value without a media type. */
    public Put(byte[] value, long ttlMillis) {
      this(value, ttlMillis, RecordKind.VALUE);
    }
  }

  /** Removes the key. */
  record Delete() implements Change {}

  /**
   * Creates the record for this change. A TTL becomes an absolute expiry here, once.
   *
   * @param nowMillis supplies the Unix time in milliseconds; asked for a TTL only
   */
  default Versioned record(Version version, int from, LongSupplier nowMillis) {
    return switch (this) {
      case Put put -> {
        long expiry =
            put.ttlMillis() == 0 ? Versioned.NEVER : nowMillis.getAsLong() + put.ttlMillis();
        yield Versioned.live(version, put.kind(), expiry, from, put.value());
      }
      case Delete delete -> Versioned.tombstone(version, from);
    };
  }
}
