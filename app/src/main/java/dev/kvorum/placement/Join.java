package dev.kvorum.placement;

import java.util.Arrays;

/**
 * One member joining the lists of all slots: which rank it takes in each.
 *
 * <p>The newcomer takes a seat and its holder is carried on to a later one, whose holder is carried
 * on in turn, down to the new seat at the end. So no member but the newcomer moves nearer to the
 * front of any list: what moves is the newcomer's share and nothing else. It takes slots in the
 * order of its rendezvous weights, rank by rank, from members that still have some to give.
 *
 * <p>A round of zones has each zone once. In the rounds where the newcomer's zone has been before,
 * one of that zone is carried out of the round and all others find a seat within it; its last round
 * is the one that grows, and everything behind it moves back by one, still round by round.
 */
final class Join {
  /** How many ranks behind its own a newcomer looks for members without anything to give. */
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

  // The walk down one list: who has lost their seat, and the round in which the newcomer's zone has
  // a seat already.
  private int carried;
  private int zoneSeatedInRound;

  /**
   * A join about to happen.
   *
   * @param lists by slot, the members that are already there, in order; the newcomer is added
   * @param zones by member; one longer than the lists, the newcomer's is the last
   * @param zoneSizes members by zone, with the newcomer
   * @param slots all slots in the order in which the newcomer wants them; used up
   */
  Join(byte[][] lists, int[] zones, int[] zoneSizes, int[] slots) {
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

  /** Seats the newcomer in every list. */
  void run() {
    for (int rank = 0; rank < lastRank; rank++) {
      // Best is a slot where all who move back have something to give; but the share of this rank
      // comes before the balance of those behind it.
      take(rank, LOOK_AHEAD);
      take(rank, 1);
      take(rank, 0);
    }
    for (int i = 0; i < waitingCount; i++) {
      seat(waiting[i], lastRank);
    }
  }

  private void take(int rank, int lookAhead) {
    int missing = budget.share(rank + 1) - (Slots.COUNT - waitingCount);
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
    // Asked a million times, mostly with the answer that the seat's holder has nothing to give.
    return budget.left(rank + 1, lists[slot][rank]) > 0
        && isOpen(slot, rank)
        && canPay(slot, rank, lastPaying);
  }

  /** Whether the newcomer's zone has not been in the rank's round before the rank. */
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
      // The one that is carried past this rank was within it before and no longer is.
      budget.give(i + 1, carried);
    }
    longer[newcomer] = (byte) carried;
    lists[slot] = longer;
  }

  private void startWalk() {
    carried = newcomer;
    zoneSeatedInRound = NO_ROUND;
  }

  /** Passes one rank; returns whether the carried member sat down and the holder is carried on. */
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
      // It belongs into this round, where this may be the last seat for it.
      boolean lastSeat = holderOfZone || (round >= lastRound && rounds.endsAt(rank));
      return lastSeat || holderLeft >= carriedLeft;
    }
    if (zoneSeatedInRound == round) {
      return false;
    }
    // Of one zone, they keep their order if they can. Else those of the zone give first: they have
    // fewer chances to.
    return carried == newcomer
        || rank == lastRank
        || carriedLeft <= 0
        || (holderOfZone && holderLeft > 0);
  }
}
