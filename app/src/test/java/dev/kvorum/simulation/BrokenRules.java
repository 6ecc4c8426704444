package dev.kvorum.simulation;

import com.dynatrace.hash4j.hashing.Hasher64;
import dev.kvorum.background.Ground;
import dev.kvorum.data.ClockBounds;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.FenceNotice;
import dev.kvorum.replica.ProcessRegistry;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What patched production code calls in place of what it should: public, as it is elsewhere. */
public final class BrokenRules {
  private BrokenRules() {}

  /** No more than the first one. */
  public static <T> List<T> first(Stream<T> all) {
    return all.limit(1).toList();
  }

  /** This machine's wall clock, however wrong. */
  public static OptionalLong ownMillis(Ground ground) {
    return OptionalLong.of(ground.wallMillis());
  }

  /** A reading of the wall clock, whatever the other clocks allow. */
  public static long asItIs(ClockBounds bounds, long wallMillis) {
    return wallMillis;
  }

  /** The later of two times. */
  public static long later(long one, long other) {
    return Math.max(one, other);
  }

  /** What a live record adds to its leaf, without its flag and its checksum. */
  public static long hashDead(Hasher64 hasher, long key, long stamp, long writer) {
    return hasher.hashLongLongLongToLong(key, stamp & Long.MAX_VALUE, writer & ~0xFFFF_FFFFL);
  }

  /** A horizon that no run comes to. */
  public static Duration anHour(Object settings) {
    return Duration.ofHours(1);
  }

  /** Whether a record counts as live that has expired. */
  public static boolean isNoTombstone(Object operation, Versioned record) {
    return !record.tombstone();
  }

  /** Closes a connection of an older process, unless another loop than the first one has it. */
  public static void fenceOnOneLoop(ProcessRegistry.Link link, FenceNotice notice) {
    if (!(link instanceof SimConnection connection) || connection.lane() == 0) {
      link.fence(notice);
    }
  }
}
