package dev.kvorum.data;

import java.util.HexFormat;

/**
 * The version of a write, assigned once by its coordinator and unchanged in every copy.
 *
 * @param stamp hybrid logical clock: 48 bits of Unix milliseconds, 16 bits of counter
 * @param writer the coordinator's number (a hash of its name and its data directory's incarnation),
 *     which breaks ties between equal stamps (unsigned)
 */
public record Version(long stamp, int writer) implements Comparable<Version> {
  /** Bits of a stamp that count events within one millisecond. */
  private static final int COUNTER_BITS = 16;

  /** Older than every issued version; stands for a record that is not stored. */
  public static final Version NONE = new Version(0, 0);

  /** Rejects a negative stamp; clocks reach none before the year 6429. */
  public Version {
    if (stamp < 0) {
      throw new IllegalArgumentException("negative stamp " + stamp);
    }
  }

  /** The first stamp of a millisecond. */
  public static long stampOf(long millis) {
    return millis << COUNTER_BITS;
  }

  /** A stamp's wall-clock part, Unix milliseconds. */
  public static long millisOf(long stamp) {
    return stamp >>> COUNTER_BITS;
  }

  /** The stamp's wall-clock part, Unix milliseconds. */
  public long millis() {
    return millisOf(stamp);
  }

  /** Returns whether this write replaces a copy of the other version. */
  public boolean isNewerThan(Version other) {
    return compareTo(other) > 0;
  }

  @Override
  public int compareTo(Version other) {
    int byStamp = Long.compare(stamp, other.stamp);
    return byStamp != 0 ? byStamp : Integer.compareUnsigned(writer, other.writer);
  }

  /** Twenty-four hexadecimal digits that sort like the versions; also the text of an ETag. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(stamp) + hex.toHexDigits(writer);
  }
}
