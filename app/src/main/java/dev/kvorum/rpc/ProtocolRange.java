package dev.kvorum.rpc;

import java.util.OptionalInt;

/**
 * The versions of the protocol between nodes that a release has. Two nodes use the highest one that
 * both have, on each connection.
 */
public record ProtocolRange(int min, int max) {
  /**
   * The versions of this code: its own and that of the release before it. Version 2 added the
   * generation and the number of event loops, version 3 the checksums of records, version 4 ranges
   * of versions and the fields of frames.
   */
  static final ProtocolRange SUPPORTED = new ProtocolRange(3, 4);

  public ProtocolRange {
    if (min < 1 || max < min) {
      throw new IllegalArgumentException("no protocol has the versions " + min + ".." + max);
    }
  }

  /** Returns the highest version that is in both. */
  OptionalInt common(ProtocolRange other) {
    int highest = Math.min(max, other.max);
    return highest < Math.max(min, other.min) ? OptionalInt.empty() : OptionalInt.of(highest);
  }

  @Override
  public String toString() {
    return min + ".." + max;
  }
}
