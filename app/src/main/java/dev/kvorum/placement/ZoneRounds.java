package dev.kvorum.placement;

import java.util.Arrays;

/**
 * How a preference list walks through the zones: in rounds, each zone at most once per round.
 *
 * <p>The first round has a member of every zone, the second one of every zone with two members or
 * more, and so on, until all members have had their turn.
 */
final class ZoneRounds {
  private final int[] zoneSizes;
  private final int[] starts;
  private final int[] roundOf;

  /** Rounds over zones with these numbers of members. */
  ZoneRounds(int[] zoneSizes) {
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

  /** The rank at which a round starts; one past the last member for the round after the last. */
  int start(int round) {
    return starts[round];
  }

  /** The round to which a rank belongs. */
  int roundOf(int rank) {
    return roundOf[rank];
  }

  /** Whether a rank is the last of its round. */
  boolean endsAt(int rank) {
    return rank + 1 == starts[roundOf[rank] + 1];
  }

  /**
   * How many slots each member of a zone holds when copies are spread as evenly as the rounds
   * allow.
   *
   * <p>A zone holds at least one copy of a slot per full round and at most one more; between these
   * bounds it gets what its number of members is worth. That is a water level: the one at which the
   * zones together hold all copies.
   *
   * @param copies of each slot, at most as many as there are members
   * @return slots per member, by zone
   */
  double[] fairShares(int copies) {
    int full = Arrays.binarySearch(starts, copies);
    int fullRounds = full >= 0 ? full : -full - 2;
    double level = level(copies, fullRounds);
    double[] shares = new double[zoneSizes.length];
    for (int zone = 0; zone < shares.length; zone++) {
      int size = zoneSizes[zone];
      shares[zone] = size == 0 ? 0 : Slots.COUNT * copiesIn(size, level, fullRounds) / size;
    }
    return shares;
  }

  private double level(int copies, int fullRounds) {
    double below = 0;
    double above = 1;
    // 40 halvings are exact to far less than a slot.
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
