package dev.kvorum.placement.table;

import java.util.Arrays;

/**
 * Tracks how many slots a newcomer takes from each member, so that all members end with their fair
 * share.
 *
 * <p>Shares are counted for each number of copies. A member that is first or second in a slot's
 * list holds the slot at two copies.
 */
final class Budget {
  /** Tolerance for a share that is a whole number of slots except for rounding. */
  private static final double ROUNDING = 1e-3;

  private final int[] share;
  private final int[][] toGive;

  /**
   * Creates the budget before the newcomer has taken any slot.
   *
   * @param lists by slot, the existing members in order
   * @param zones by member; one entry longer than the lists, with the newcomer's zone last
   * @param rounds rounds of the zones, including the newcomer
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

  /** Number of slots that the newcomer takes at this number of copies. */
  int share(int copies) {
    return share[copies];
  }

  /** Number of slots that a member still has to give at this number of copies. */
  int left(int copies, int member) {
    return toGive[copies][member];
  }

  /** Records that a member no longer holds one of its slots at this number of copies. */
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

  /** Converts the number of slots that each member holds to the number above its fair share. */
  private static void keepFairShare(int[] held, int[] zones, double[] fair, int wanted) {
    for (int member = 0; member < held.length; member++) {
      held[member] -= Math.min(held[member], (int) (fair[zones[member]] + ROUNDING));
    }
    int surplus = Arrays.stream(held).sum() - wanted;
    // Rounding may leave a surplus, and a zone with too few members a larger one. Members with a
    // surplus keep one slot each in turn.
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
