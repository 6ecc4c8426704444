package dev.kvorum.data;

import java.util.Arrays;

/**
 * One copy of a record: a value or a tombstone, with its version.
 *
 * <p>Values are never copied: whoever makes one hands its array over and nobody writes to it.
 */
public final class Versioned {
  /** {@link #expiresAtMillis} of a record that does not expire. */
  public static final long NEVER = 0;

  /** Most copies that a record may ask for. */
  public static final int FROM_MAX = 127;

  private static final byte[] NO_VALUE = new byte[0];

  private final Version version;
  private final boolean tombstone;
  private final long expiresAtMillis;
  private final int from;
  private final byte[] value;

  private Versioned(
      Version version, boolean tombstone, long expiresAtMillis, int from, byte[] value) {
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
  }

  /** A value that expires at this Unix time in milliseconds, or {@link #NEVER}. */
  public static Versioned live(Version version, long expiresAtMillis, int from, byte[] value) {
    return new Versioned(version, false, expiresAtMillis, from, value);
  }

  /** The mark of a deletion. */
  public static Versioned tombstone(Version version, int from) {
    return new Versioned(version, true, NEVER, from, NO_VALUE);
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

  /** The same write under a newer version, for a coordinator that must try again. */
  public Versioned restamped(Version newer) {
    return new Versioned(newer, tombstone, expiresAtMillis, from, value);
  }

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
