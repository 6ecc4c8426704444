package dev.kvorum.placement;

import java.util.Arrays;

/**
 * How many slots a newcomer takes, and from whom, so that all end with their fair share.
 *
 * <p>Counted for every number of copies: a member that is among the first two of a slot holds it at
 * two copies, whether as the first or as the second.
 */
final class Budget {
  /** Forgives the last bits of a share that is a whole number of slots. */
  private static final double ROUNDING = 1e-3;

  private final int[] share;
  private final int[][] toGive;

  /**
   * What there is to give at the start.
   *
   * @param lists by slot, the members that are already there, in order
   * @param zones by member; one longer than the lists, the newcomer's is the last
   * @param rounds with the newcomer
   */
  Budget(byte[][] lists, int[] zones, ZoneRounds rounds) {
    int members = zones.length - 1;
    this.share = new int[members + 1];
    this.toGive = held(lists, members);
    for (int copies = 1; copies <= members; copies++) {
      double[] fair = rounds.fairShares(copies);
      share[copies] = (int) (fair[zones[members]] + ROUNDING);
      keepFairShare(toGive[copies], zones, fair, share[copies]);
    }
  }

  /** How many slots the newcomer shall hold at this number of copies. */
  int share(int copies) {
    return share[copies];
  }

  /** How many slots a member still has to give at this number of copies. */
  int left(int copies, int member) {
    return toGive[copies][member];
  }

  /** Notes that a member no longer holds one of its slots at this number of copies. */
  void give(int copies, int member) {
    toGive[copies][member]--;
  }

  private static int[][] held(byte[][] lists, int members) {
    int[][] held = new int[members + 1][members + 1];
    for (byte[] list : lists) {
      for (int rank = 0; rank < members; rank++) {
        held[rank + 1][list[rank]]++;
      }
    }
    for (int copies = 1; copies <= members; copies++) {
      for (int member = 0; member < members; member++) {
        held[copies][member] += held[copies - 1][member];
      }
    }
    return held;
  }

  /** Turns what the members hold into what they have to give: all that is over the fair share. */
  private static void keepFairShare(int[] held, int[] zones, double[] fair, int wanted) {
    for (int member = 0; member < held.length; member++) {
      held[member] -= Math.min(held[member], (int) (fair[zones[member]] + ROUNDING));
    }
    int surplus = Arrays.stream(held).sum() - wanted;
    // Rounding leaves some slots over, and a zone that has too few members more than that: those
    // that have them keep them, one each in turn.
    while (surplus > 0) {
      for (int member = 0; member < held.length && surplus > 0; member++) {
        if (held[member] > 0) {
          held[member]--;
          surplus--;
        }
      }
    }
  }
}
