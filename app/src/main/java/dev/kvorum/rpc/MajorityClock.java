package dev.kvorum.rpc;

import java.util.Collection;
import java.util.OptionalLong;

/**
 * Bounds of the majority time, from the clocks of the peers. The majority time is the latest time
 * that a majority of all clocks have reached. It lies between two of the peers' clocks, or equals
 * this node's clock if that lies between these. While only a minority of clocks is wrong, it is
 * never ahead of all correct ones (the median of Marzullo and Owicki, "Maintaining the Time in a
 * Distributed System", 1983). Immutable.
 *
 * <p>All numbers are differences to a monotonic clock in milliseconds. A jump of the own wall clock
 * therefore shows at once, without another request to a peer.
 *
 * @param belowAtLeast lower bound of the majority time; {@link #NONE}: unbounded
 * @param aboveAtLeast upper bound of the majority time, by the earliest readings of the peers'
 *     clocks; {@link #NONE}: too few are known
 * @param aboveAtMost the same by the latest readings
 * @param spreadMillis least distance between the peers' clocks, if they are just enough for a
 *     majority with this one. If it is too large, one of them is wrong, possibly the lowest.
 *     Otherwise 0
 */
record MajorityClock(long belowAtLeast, long aboveAtLeast, long aboveAtMost, long spreadMillis) {
  private static final long NONE = Long.MIN_VALUE;
  private static final long FREE = Long.MAX_VALUE;

  /** Too few clocks are known. */
  static final MajorityClock UNKNOWN = new MajorityClock(NONE, NONE, NONE, 0);

  /** The own clock alone is the majority. */
  static final MajorityClock ALONE = new MajorityClock(NONE, FREE, FREE, 0);

  /** The last reading of a clock, as a range of differences to the monotonic clock. */
  record Reading(long earliest, long latest) {
    long widthMillis() {
      return latest - earliest;
    }
  }

  /**
   * Computes the bounds from readings of the peers' clocks.
   *
   * @param peers number of peers, including those that were never read
   */
  static MajorityClock of(int peers, Collection<Reading> readings) {
    int majority = (peers + 1) / 2 + 1;
    if (majority == 1) {
      return ALONE;
    }
    // This member is one of the majority.
    if (readings.size() < majority - 1) {
      return UNKNOWN;
    }
    long[] earliest = readings.stream().mapToLong(Reading::earliest).sorted().toArray();
    long[] latest = readings.stream().mapToLong(Reading::latest).sorted().toArray();
    int above = latest.length - (majority - 1);
    long below = above == 0 ? NONE : earliest[above - 1];
    long spread = above == 0 ? earliest[earliest.length - 1] - latest[0] : 0;
    return new MajorityClock(below, earliest[above], latest[above], spread);
  }

  /**
   * Like {@link #of}, from clocks that have not been read for a while. A clock may have been wrong
   * then and be correct now, so the ceiling must hold for each of them.
   */
  static MajorityClock ofOld(int peers, Collection<Reading> readings) {
    MajorityClock of = of(peers, readings);
    long lowest = readings.stream().mapToLong(Reading::latest).min().orElse(of.aboveAtMost);
    return new MajorityClock(
        of.belowAtLeast, of.aboveAtLeast, Math.min(of.aboveAtMost, lowest), of.spreadMillis);
  }

  /** Returns whether more clocks are known than a majority requires. */
  boolean hasSpare() {
    return belowAtLeast != NONE || aboveAtLeast == FREE;
  }

  boolean isKnown() {
    return aboveAtLeast != NONE;
  }

  /** The time that a majority of clocks have reached; empty when too few are known. */
  OptionalLong reached(long wallMillis, long monotoneMillis) {
    if (!isKnown()) {
      return OptionalLong.empty();
    }
    long most = aboveAtLeast == FREE ? FREE : aboveAtLeast + monotoneMillis;
    long least = belowAtLeast == NONE ? NONE : belowAtLeast + monotoneMillis;
    return OptionalLong.of(Math.min(Math.max(wallMillis, least), most));
  }

  /** The latest time up to which the own clock need not be wrong. */
  long ceiling(long monotoneMillis, long maxOffsetMillis) {
    return !isKnown() || aboveAtMost == FREE
        ? Long.MAX_VALUE
        : aboveAtMost + monotoneMillis + maxOffsetMillis;
  }

  /**
   * The own clock's reading, or the majority time if the own clock differs from it by more than
   * allowed. If the peers' clocks contradict each other and there is no spare one, one of them is
   * wrong, so the own reading is returned.
   */
  long corrected(long wallMillis, long monotoneMillis, long maxOffsetMillis) {
    if (spreadMillis > 2 * maxOffsetMillis) {
      return wallMillis;
    }
    boolean tooEarly =
        belowAtLeast != NONE && wallMillis < belowAtLeast + monotoneMillis - maxOffsetMillis;
    boolean tooLate = wallMillis > ceiling(monotoneMillis, maxOffsetMillis);
    return tooEarly || tooLate
        ? reached(wallMillis, monotoneMillis).orElse(wallMillis)
        : wallMillis;
  }
}
