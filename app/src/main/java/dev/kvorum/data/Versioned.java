package dev.kvorum.data;

import java.util.Arrays;

/**
 * One copy of a record: a value or a tombstone, with its version.
 *
 * <p>A record gets its checksum once, when it is put under its key in a {@link Mutation}, and
 * carries it from then on to every disk and connection: what does not match it is never used.
 *
 * <p>Values are never copied: the caller that makes one hands over its array, which is never
 * written again.
 */
public final class Versioned {
  /** {@link #expiresAtMillis} of a record that does not expire. */
  public static final long NEVER = 0;

  /** Most copies that a record may ask for. */
  public static final int FROM_MAX = 127;

  /** Bytes of the largest value that any node may be configured to accept. */
  public static final int VALUE_BYTES_MAX = 16 << 20;

  private static final byte[] NO_VALUE = new byte[0];

  private final Version version;
  private final boolean tombstone;
  private final long expiresAtMillis;
  private final int from;
  private final byte[] value;
  private final boolean sealed;
  private final int checksum;

  private Versioned(
      Version version,
      boolean tombstone,
      long expiresAtMillis,
      int from,
      byte[] value,
      boolean sealed,
      int checksum) {
    if (from < 1 || from > FROM_MAX) {
      throw new IllegalArgumentException("from is 1 to " + FROM_MAX + ", not " + from);
    }
    if (expiresAtMillis < 0) {
      throw new IllegalArgumentException("negative expiry " + expiresAtMillis);
    }
    this.version = version;
    this.tombstone = tombstone;
    this.expiresAtMillis = expiresAtMillis;
    this.from = from;
    this.value = value;
    this.sealed = sealed;
    this.checksum = checksum;
  }

  /** A value that expires at this Unix time in milliseconds, or {@link #NEVER}. */
  public static Versioned live(Version version, long expiresAtMillis, int from, byte[] value) {
    return new Versioned(version, false, expiresAtMillis, from, value, false, 0);
  }

  /** The mark of a deletion. */
  public static Versioned tombstone(Version version, int from) {
    return new Versioned(version, true, NEVER, from, NO_VALUE, false, 0);
  }

  /** A record that was stored or sent, with the checksum that came with it, right or wrong. */
  public static Versioned received(
      Version version,
      boolean tombstone,
      long expiresAtMillis,
      int from,
      byte[] value,
      int checksum) {
    return new Versioned(version, tombstone, expiresAtMillis, from, value, true, checksum);
  }

  /**
   * A record without its value, with the checksum of the bytes read, whatever checksum was stored
   * with it.
   *
   * @param bytes hold the value
   */
  public static Versioned withoutValue(
      Key key,
      Version version,
      boolean tombstone,
      long expiresAtMillis,
      int from,
      byte[] bytes,
      int offset,
      int length) {
    int checksum =
        Checksum.ofHead(key, version, tombstone, expiresAtMillis, from)
            ^ Checksum.ofValue(bytes, offset, length);
    return received(version, tombstone, expiresAtMillis, from, NO_VALUE, checksum);
  }

  public Version version() {
    return version;
  }

  public boolean tombstone() {
    return tombstone;
  }

  public long expiresAtMillis() {
    return expiresAtMillis;
  }

  /** Number of replicas that the writer asked for; repairs re-create exactly as many. */
  public int from() {
    return from;
  }

  /** The value's own bytes, empty for a tombstone; not to be written to. */
  public byte[] value() {
    return value;
  }

  /** Whether a reader at this Unix time in milliseconds sees a value. */
  public boolean isLiveAt(long nowMillis) {
    return !tombstone && (expiresAtMillis == NEVER || nowMillis < expiresAtMillis);
  }

  /**
   * The checksum that this record carries.
   *
   * @throws IllegalStateException when it was never put under a key
   */
  public int checksum() {
    if (!sealed) {
      throw new IllegalStateException("a record without its key has no checksum");
    }
    return checksum;
  }

  /** Whether this record is what its checksum was made of, under this very key. */
  public boolean isIntact(Key key) {
    return sealed && checksum == computed(key);
  }

  private int computed(Key key) {
    return head(key, version) ^ Checksum.ofValue(value, 0, value.length);
  }

  private int head(Key key, Version under) {
    return Checksum.ofHead(key, under, tombstone, expiresAtMillis, from);
  }

  /**
   * Whether all replicas keep this value and not the other one of the same version, should there be
   * two: either may be the right one.
   */
  public boolean outweighs(Versioned other) {
    return version.equals(other.version)
        && !tombstone
        && !other.tombstone
        && Integer.compareUnsigned(checksum(), other.checksum()) > 0;
  }

  /** This record with its checksum, which it gets now if it has none. */
  public Versioned sealed(Key key) {
    return sealed ? this : with(version, computed(key));
  }

  /** The same write under a newer version. */
  Versioned restamped(Key key, Version newer) {
    return with(newer, checksum() ^ head(key, version) ^ head(key, newer));
  }

  private Versioned with(Version other, int itsChecksum) {
    return received(other, tombstone, expiresAtMillis, from, value, itsChecksum);
  }

  /** All of this record but its value, with the checksum of what is there. */
  public Versioned withoutValue(Key key) {
    return withoutValue(key, version, tombstone, expiresAtMillis, from, value, 0, value.length);
  }

  /** Whether both are the same write; their checksums are not compared. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Versioned that
        && version.equals(that.version)
        && tombstone == that.tombstone
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
    String what = tombstone ? "tombstone" : value.length + " bytes";
    String expiry = expiresAtMillis == NEVER ? "" : " until " + expiresAtMillis;
    return version + " " + what + expiry + " from " + from;
  }
}
