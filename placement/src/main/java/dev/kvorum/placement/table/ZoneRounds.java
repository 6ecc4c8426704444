package dev.kvorum.placement.table;

import java.util.Arrays;

/**
 * The order in which a preference list visits zones: in rounds, with each zone at most once per
 * round.
 *
 * <p>The first round has a member of each zone, the second one a member of each zone with two or
 * more members, and so on, until all members are included. {@link SeatAssignment} places members
 * so.
 */
public final class ZoneRounds {
  private final int[] zoneSizes;
  private final int[] starts;
  private final int[] roundOf;

  /** Creates the rounds of zones with these numbers of members. */
  public ZoneRounds(int[] zoneSizes) {
    this.zoneSizes = zoneSizes;
    int rounds = Arrays.stream(zoneSizes).max().orElse(0);
    this.starts = new int[rounds + 1];
    for (int round = 0; round < rounds; round++) {
      int reached = round;
      long zones = Arrays.stream(zoneSizes).filter(size -> size > reached).count();
      starts[round + 1] = starts[round] + (int) zones;
    }
    this.roundOf = new int[starts[rounds]];
    for (int round = 0; round < rounds; round++) {
      Arrays.fill(roundOf, starts[round], starts[round + 1], round);
    }
  }

  /** The rank at which a round starts. For the round after the last one, the number of members. */
  int start(int round) {
    return starts[round];
  }

  /** The round that contains a rank. */
  int roundOf(int rank) {
    return roundOf[rank];
  }

  /** Returns whether a rank is the last one of its round. */
  boolean endsAt(int rank) {
    return rank + 1 == starts[roundOf[rank] + 1];
  }

  /**
   * Computes how many slots each member of a zone holds if copies are spread as evenly as the
   * rounds allow.
   *
   * <p>A zone holds at least one copy of a slot per full round and at most one more. Between these
   * bounds, its share is proportional to its number of members. The factor is a water level: the
   * one at which all zones together hold all copies.
   *
   * @param copies copies of each slot, at most the number of members
   * @return slots per member, by zone
   */
  public double[] fairShares(int copies) {
    int full = Arrays.binarySearch(starts, copies);
    int fullRounds = full >= 0 ? full : -full - 2;
    double level = level(copies, fullRounds);
    double[] shares = new double[zoneSizes.length];
    for (int zone = 0; zone < shares.length; zone++) {
      int size = zoneSizes[zone];
      shares[zone] =
          size == 0 ? 0 : PlacementTable.SLOTS * copiesIn(size, level, fullRounds) / size;
    }
    return shares;
  }

  private double level(int copies, int fullRounds) {
    double below = 0;
    double above = 1;
    // 40 bisections are exact to far less than a slot.
    for (int i = 0; i < 40; i++) {
      double middle = (below + above) / 2;
      double held = 0;
      for (int size : zoneSizes) {
        held += copiesIn(size, middle, fullRounds);
      }
      if (held < copies) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return above;
  }

  private static double copiesIn(int size, double level, int fullRounds) {
    double least = Math.min(fullRounds, size);
    double most = Math.min(fullRounds + 1, size);
    return Math.clamp(level * size, least, most);
  }
}
