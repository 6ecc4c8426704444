package dev.kvorum.placement.table;

import java.util.Arrays;

/**
 * Gives one joining member a seat in the list of each slot, and moves those that it displaces,
 * within the rounds of zones.
 *
 * <p>{@link PlacementTable} has the algorithm. The newcomer's last round grows by one seat, and all
 * later seats move back by one, still round by round.
 */
final class SeatAssignment {
  /** Number of ranks behind its own at which a newcomer looks for members with nothing to give. */
  private static final int LOOK_AHEAD = 4;

  private static final int NO_ROUND = -1;

  private final byte[][] lists;
  private final int[] zones;
  private final int newcomer;
  private final int zone;
  private final ZoneRounds rounds;
  private final int lastRound;
  private final int lastRank;
  private final Budget budget;
  private final int[] waiting;
  private int waitingCount;

  // State of the walk down one list: the displaced member, and the round in which the newcomer's
  // zone has a seat already.
  private int carried;
  private int zoneSeatedInRound;

  /**
   * Creates an assignment; {@link #run} executes it.
   *
   * @param lists by slot, the existing members in order; the newcomer is added
   * @param zones by member; one entry longer than the lists, with the newcomer's zone last
   * @param zoneSizes number of members by zone, including the newcomer
   * @param slots all slots in the newcomer's order of preference; consumed
   */
  SeatAssignment(byte[][] lists, int[] zones, int[] zoneSizes, int[] slots) {
    this.lists = lists;
    this.zones = zones;
    this.newcomer = zones.length - 1;
    this.zone = zones[newcomer];
    this.rounds = new ZoneRounds(zoneSizes);
    this.lastRound = zoneSizes[zone] - 1;
    this.lastRank = rounds.start(lastRound + 1) - 1;
    this.budget = new Budget(lists, zones, rounds);
    this.waiting = slots;
    this.waitingCount = slots.length;
  }

  /** Adds the newcomer to all lists. */
  void run() {
    for (int rank = 0; rank < lastRank; rank++) {
      // The best slot is one in which all displaced members have something to give. The share of
      // this rank has priority over the balance of later ranks.
      take(rank, LOOK_AHEAD);
      take(rank, 1);
      take(rank, 0);
    }
    for (int i = 0; i < waitingCount; i++) {
      seat(waiting[i], lastRank);
    }
  }

  private void take(int rank, int lookAhead) {
    int missing = budget.share(rank + 1) - (PlacementTable.SLOTS - waitingCount);
    int lastPaying = Math.min(rank + lookAhead, newcomer - 1);
    int kept = 0;
    int next = 0;
    while (next < waitingCount && missing > 0) {
      int slot = waiting[next++];
      if (canTake(slot, rank, lastPaying)) {
        seat(slot, rank);
        missing--;
      } else {
        waiting[kept++] = slot;
      }
    }
    System.arraycopy(waiting, next, waiting, kept, waitingCount - next);
    waitingCount -= next - kept;
  }

  private boolean canTake(int slot, int rank, int lastPaying) {
    // Called a million times; in most calls the holder of the seat has nothing to give.
    return budget.left(rank + 1, lists[slot][rank]) > 0
        && isOpen(slot, rank)
        && canPay(slot, rank, lastPaying);
  }

  /** Returns whether the rank's round does not contain the newcomer's zone before the rank. */
  private boolean isOpen(int slot, int rank) {
    byte[] list = lists[slot];
    for (int earlier = rounds.start(rounds.roundOf(rank)); earlier < rank; earlier++) {
      if (zones[list[earlier]] == zone) {
        return false;
      }
    }
    return true;
  }

  private boolean canPay(int slot, int rank, int lastPaying) {
    startWalk();
    for (int i = rank; i <= lastPaying; i++) {
      step(lists[slot], i);
      if (budget.left(i + 1, carried) <= 0) {
        return false;
      }
    }
    return true;
  }

  private void seat(int slot, int rank) {
    byte[] list = lists[slot];
    byte[] longer = Arrays.copyOf(list, newcomer + 1);
    startWalk();
    for (int i = rank; i < newcomer; i++) {
      int arriving = carried;
      if (step(list, i)) {
        longer[i] = (byte) arriving;
      }
      // The member carried past this rank was within it before and no longer is.
      budget.give(i + 1, carried);
    }
    longer[newcomer] = (byte) carried;
    lists[slot] = longer;
  }

  private void startWalk() {
    carried = newcomer;
    zoneSeatedInRound = NO_ROUND;
  }

  /**
   * Handles one rank. Returns whether the carried member took the seat and its holder is carried
   * on.
   */
  private boolean step(byte[] list, int rank) {
    int holder = list[rank];
    int round = rounds.roundOf(rank);
    boolean sits = sits(rank, round, holder);
    int seated = sits ? carried : holder;
    if (zones[seated] == zone) {
      zoneSeatedInRound = round;
    }
    if (sits) {
      carried = holder;
    }
    return sits;
  }

  private boolean sits(int rank, int round, int holder) {
    int holderLeft = budget.left(rank + 1, holder);
    int carriedLeft = budget.left(rank + 1, carried);
    boolean holderOfZone = zones[holder] == zone;
    if (zones[carried] != zone) {
      // The member belongs to this round, and this may be its last free seat.
      boolean lastSeat = holderOfZone || (round >= lastRound && rounds.endsAt(rank));
      return lastSeat || holderLeft >= carriedLeft;
    }
    if (zoneSeatedInRound == round) {
      return false;
    }
    // Members of one zone keep their order if possible. Otherwise members of the newcomer's zone
    // give first, since they have fewer opportunities.
    return carried == newcomer
        || rank == lastRank
        || carriedLeft <= 0
        || (holderOfZone && holderLeft > 0);
  }
}
