package dev.kvorum.rpc;

import java.util.Collection;
import java.util.OptionalLong;

/**
 * Where the clocks of the other members have this one's: what a majority of all clocks have reached
 * lies between two of the others', or at this node's clock if that is between these. With a
 * minority of wrong clocks it is never beyond every right one (the median of Marzullo and Owicki,
 * "Maintaining the Time in a Distributed System", 1983). Immutable.
 *
 * <p>All numbers are differences to a monotone clock in milliseconds, so that a jump of the own
 * wall clock shows at once, without another question to anybody.
 *
 * @param belowAtLeast the own clock counts as reaching at least this; {@link #NONE}: unbounded
 * @param aboveAtLeast and no more than this, by the earliest that the others' clocks may show;
 *     {@link #NONE}: too few are known
 * @param aboveAtMost the same by the latest that they may show
 * @param spreadMillis how far the others' clocks are apart at least, where they are just enough for
 *     a majority with this one: then one of them is wrong, and it may be the lowest; else 0
 */
record MajorityClock(long belowAtLeast, long aboveAtLeast, long aboveAtMost, long spreadMillis) {
  private static final long NONE = Long.MIN_VALUE;
  private static final long FREE = Long.MAX_VALUE;

  /** Too few clocks are known. */
  static final MajorityClock UNKNOWN = new MajorityClock(NONE, NONE, NONE, 0);

  /** The own clock alone is the majority. */
  static final MajorityClock ALONE = new MajorityClock(NONE, FREE, FREE, 0);

  /** When a clock has been read at last, as differences to the monotone clock. */
  record Reading(long earliest, long latest) {
    long widthMillis() {
      return latest - earliest;
    }
  }

  /**
   * The bounds from readings of other clocks.
   *
   * @param peers how many there are, those that were never read included
   */
  static MajorityClock of(int peers, Collection<Reading> readings) {
    int majority = (peers + 1) / 2 + 1;
    if (majority == 1) {
      return ALONE;
    }
    // One of the majority is this member.
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
   * The same of clocks that have not been read for a while. One of them may have been wrong then
   * and be right now: the ceiling must hold for each of them.
   */
  static MajorityClock ofOld(int peers, Collection<Reading> readings) {
    MajorityClock of = of(peers, readings);
    long lowest = readings.stream().mapToLong(Reading::latest).min().orElse(of.aboveAtMost);
    return new MajorityClock(
        of.belowAtLeast, of.aboveAtLeast, Math.min(of.aboveAtMost, lowest), of.spreadMillis);
  }

  /** Whether it is of more clocks than a majority takes. */
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

  /** The latest time at which the own clock need not be wrong. */
  long ceiling(long monotoneMillis, long maxOffsetMillis) {
    return !isKnown() || aboveAtMost == FREE
        ? Long.MAX_VALUE
        : aboveAtMost + monotoneMillis + maxOffsetMillis;
  }

  /**
   * The own clock's reading, or the majority's time where it is further off than allowed. Where the
   * others contradict each other and none is to spare, one of them is the wrong one.
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
