package dev.kvorum.data;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * One copy of a record: a value, with its media type or without, or a tombstone, with its version.
 *
 * <p>A record receives its checksum once, when a {@link Mutation} combines it with its key. The
 * checksum then accompanies it to every disk and connection. A record that does not match its
 * checksum is never used.
 *
 * <p>Values are never copied: the caller that creates a record hands over its array, which must not
 * be modified again.
 */
public final class Versioned {
  /** {@link #expiresAtMillis} of a record that does not expire. */
  public static final long NEVER = 0;

  /** Largest number of copies of a record. */
  public static final int FROM_MAX = 127;

  /** Bytes of the largest value that any node may be configured to accept. */
  public static final int VALUE_BYTES_MAX = 16 << 20;

  private static final byte[] NO_VALUE = new byte[0];

  /** In place of the checksum, whose 32 bits are never negative, of a record without one. */
  private static final long UNSEALED = -1;

  private final Version version;
  private final RecordKind kind;
  private final long expiresAtMillis;
  private final int from;
  private final byte[] value;
  private final long checksum;

  private Versioned(
      Version version,
      RecordKind kind,
      long expiresAtMillis,
      int from,
      byte[] value,
      long checksum) {
    if (from < 1 || from > FROM_MAX) {
      throw new IllegalArgumentException("from is 1 to " + FROM_MAX + ", not " + from);
    }
    if (expiresAtMillis < 0) {
      throw new IllegalArgumentException("negative expiry " + expiresAtMillis);
    }
    this.version = version;
    this.kind = kind;
    this.expiresAtMillis = expiresAtMillis;
    this.from = from;
    this.value = value;
    this.checksum = checksum;
  }

  /** A value that expires at this Unix time in milliseconds, or {@link #NEVER}. */
  public static Versioned live(Version version, long expiresAtMillis, int from, byte[] value) {
    return live(version, RecordKind.VALUE, expiresAtMillis, from, value);
  }

  /** A value of this kind. */
  public static Versioned live(
      Version version, RecordKind kind, long expiresAtMillis, int from, byte[] value) {
    return new Versioned(version, kind, expiresAtMillis, from, value, UNSEALED);
  }

  /** Creates a tombstone. */
  public static Versioned tombstone(Version version, int from) {
    return new Versioned(version, RecordKind.TOMBSTONE, NEVER, from, NO_VALUE, UNSEALED);
  }

  /**
   * Creates a record that was stored or sent, with the checksum that it had there, valid or not.
   */
  public static Versioned received(
      Version version,
      RecordKind kind,
      long expiresAtMillis,
      int from,
      byte[] value,
      int checksum) {
    return new Versioned(
        version, kind, expiresAtMillis, from, value, Integer.toUnsignedLong(checksum));
  }

  /**
   * Creates a record without its value. Its checksum is that of the bytes read, whatever checksum
   * was stored with it.
   *
   * @param bytes contain the value
   */
  public static Versioned withoutValue(
      Key key,
      Version version,
      RecordKind kind,
      long expiresAtMillis,
      int from,
      byte[] bytes,
      int offset,
      int length) {
    int checksum =
        Checksum.ofHead(key, version, kind, expiresAtMillis, from)
            ^ Checksum.ofValue(bytes, offset, length);
    return received(version, kind, expiresAtMillis, from, NO_VALUE, checksum);
  }

  public Version version() {
    return version;
  }

  public RecordKind kind() {
    return kind;
  }

  public boolean tombstone() {
    return kind == RecordKind.TOMBSTONE;
  }

  public long expiresAtMillis() {
    return expiresAtMillis;
  }

  /** Number of replicas that the writer requested; repairs restore exactly as many. */
  public int from() {
    return from;
  }

  /** The value's own bytes, empty for a tombstone; do not modify them. */
  public byte[] value() {
    return value;
  }

  /** Returns whether a reader at this Unix time in milliseconds sees a value. */
  public boolean isLiveAt(long nowMillis) {
    return isLive(() -> nowMillis);
  }

  /**
   * Returns whether a reader sees a value now.
   *
   * @param nowMillis supplies the Unix time in milliseconds; not asked about a record that never
   *     expires
   */
  public boolean isLive(LongSupplier nowMillis) {
    return !tombstone() && (expiresAtMillis == NEVER || nowMillis.getAsLong() < expiresAtMillis);
  }

  /**
   * The record's checksum.
   *
   * @throws IllegalStateException if it was never combined with a key
   */
  public int checksum() {
    if (!isSealed()) {
      throw new IllegalStateException("a record without its key has no checksum");
    }
    return (int) checksum;
  }

  /** Returns whether this record matches its checksum under this key. */
  public boolean isIntact(Key key) {
    return isSealed() && checksum() == computed(key);
  }

  private boolean isSealed() {
    return checksum != UNSEALED;
  }

  private int computed(Key key) {
    return head(key, version) ^ Checksum.ofValue(value, 0, value.length);
  }

  private int head(Key key, Version under) {
    return Checksum.ofHead(key, under, kind, expiresAtMillis, from);
  }

  /**
   * Returns whether all replicas keep this value instead of a different one with the same version,
   * if there are two. Either may be the correct one.
   */
  public boolean outweighs(Versioned other) {
    return version.equals(other.version)
        && !tombstone()
        && !other.tombstone()
        && Integer.compareUnsigned(checksum(), other.checksum()) > 0;
  }

  /** This record with its checksum, which is computed now if it has none. */
  public Versioned sealed(Key key) {
    return isSealed() ? this : with(version, computed(key));
  }

  /** The same write with a newer version. */
  Versioned restamped(Key key, Version newer) {
    return with(newer, checksum() ^ head(key, version) ^ head(key, newer));
  }

  private Versioned with(Version other, int itsChecksum) {
    return received(other, kind, expiresAtMillis, from, value, itsChecksum);
  }

  /** This record without its value, with its checksum as it is. */
  public Versioned head() {
    return received(version, kind, expiresAtMillis, from, NO_VALUE, checksum());
  }

  /** This record without its value, with the checksum of the current bytes. */
  public Versioned withoutValue(Key key) {
    return withoutValue(key, version, kind, expiresAtMillis, from, value, 0, value.length);
  }

  /** Returns whether both are the same write; does not compare checksums. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Versioned that
        && version.equals(that.version)
        && kind == that.kind
        && expiresAtMillis == that.expiresAtMillis
        && from == that.from
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return version.hashCode();
  }

  @Override
  public String toString() {
    String what = tombstone() ? "tombstone" : value.length + " bytes";
    String expiry = expiresAtMillis == NEVER ? "" : " until " + expiresAtMillis;
    return version + " " + what + expiry + " from " + from;
  }
}
