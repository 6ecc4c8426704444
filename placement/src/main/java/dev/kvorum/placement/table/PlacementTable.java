package dev.kvorum.placement.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The preference lists of all slots: members join one after the other, in {@link JoinOrder}. The
 * data on disk depends on the result, so that a change of the algorithm needs a migration.
 */
public final class PlacementTable {

  /*
   * The table gives each of 4096 slots a preference list: all members, in the order in which they
   * keep the slot's records. A record with n copies is kept by the first n members of its slot's
   * list (the fixed partitions of Dynamo [1]). The table depends on the members' names and on who
   * shares a zone, and on nothing else, so that all nodes and the operator compute the same one.
   *
   * What holds after each join, and which the tests check:
   *  - A list is a permutation of all members.
   *  - No other member is nearer to the front of a list than before: whatever the number of
   *    copies, only the newcomer gains slots.
   *  - A list is a sequence of rounds (ZoneRounds): each zone once, then each zone with a second
   *    member once, and so on. So n copies are in n zones, if there are as many.
   *  - Within that, each member keeps its fair share of slots at every number of copies (Budget).
   *    Rounds come first: a zone with few members keeps more slots per member.
   *
   * Plain rendezvous hashing [2] sorts each list by a hash of member and slot. It moves little, but
   * its shares deviate by 11 % at 50 members, and to cut off the peaks afterwards moves slots of
   * members that have not changed. Here a bound on load, as in [3], decides at each join instead.
   *
   * Join: members join one after the other, in JoinOrder. Rendezvous weights tell in which slots a
   * newcomer would be far in front: those it tries first. Rank by rank, it takes a seat where
   * the holder has more than its new fair share, until it has its own share for that number of
   * copies. Who is displaced moves to a later seat, whose holder moves in turn, up to the new seat
   * at the end of the list. A slot is best if all of them have slots to give where they are passed;
   * three passes relax that: within the next four ranks, within the next one, the holder alone.
   * Slots that are left take the newcomer at the last rank of its last round.
   *
   * Zones: a round cannot have the newcomer's zone twice. Where it is there already, one member of
   * that zone leaves the round for a later one, and all others find a seat within theirs. The last
   * round of the newcomer's zone grows by one seat.
   *
   * Leave: the table is computed again without the member. For the last one in JoinOrder that
   * undoes its join, and moves the fewest slots: slots * copies / members. A member between others
   * takes the joins behind it along: up to 1.1 times that moves at 6 members and 10 times at 50,
   * twice as much with zones. A member that changes its zone leaves and joins likewise. During a
   * change, a Layout has the tables before and after it.
   *
   * Cost: with a few zones a join takes O(slots * members) time, so a table of m members
   * O(slots * m^2), and O(slots * m) memory. A list has a byte for each member, hence MEMBERS_MAX.
   * Shares are exact without zones; with 3 zones within 1.5 % up to 50 members, with 2 within
   * 3.6 %, at random within 6 %; no bound is promised above three copies.
   *
   * docs/adr: 0002 (placement, measurements), 0011 (changes of members), 0028 (failure domains).
   * [1] DeCandia et al.: Dynamo: Amazon's Highly Available Key-value Store. SOSP 2007
   * [2] Thaler, Ravishankar: Using Name-Based Mappings to Increase Hit Rates. ToN 1998
   * [3] Mirrokni, Thorup, Zadimoghaddam: Consistent Hashing with Bounded Loads. SODA 2018
   */

  /** Number of slots. The data on disk depends on it, so it never changes. */
  public static final int SLOTS = 4096;

  /** Largest number of members: a list has a byte for each. */
  public static final int MEMBERS_MAX = 100;

  private final byte[][] lists = new byte[PlacementTable.SLOTS][0];
  private final List<String> zoneNames = new ArrayList<>();
  private final List<long[]> weights = new ArrayList<>();
  private int[] zones = new int[0];
  private int[] zoneSizes = new int[0];

  /** Creates a table without members. */
  public PlacementTable() {}

  /**
   * Adds a member, which has to follow those of the table in {@link JoinOrder}.
   *
   * @throws IllegalStateException if the table has {@link #MEMBERS_MAX} members
   */
  public void join(String name, String zoneName) {
    if (zones.length >= MEMBERS_MAX) {
      throw new IllegalStateException("has " + MEMBERS_MAX + " members");
    }
    int zone = zoneNames.indexOf(zoneName);
    if (zone < 0) {
      zone = zoneNames.size();
      zoneNames.add(zoneName);
      zoneSizes = Arrays.copyOf(zoneSizes, zone + 1);
    }
    zones = Arrays.copyOf(zones, zones.length + 1);
    zones[zones.length - 1] = zone;
    zoneSizes[zone]++;
    weights.add(Rendezvous.weights(name));
    new SeatAssignment(lists, zones, zoneSizes, wantedSlots()).run();
  }

  /** A slot's members in order of preference, each as the number of those that joined before it. */
  public byte[] list(int slot) {
    return lists[slot].clone();
  }

  /**
   * All slots, starting with those in which the fewest members have a higher weight than the newest
   * one.
   */
  private int[] wantedSlots() {
    long[] mine = weights.getLast();
    long[] keys = new long[PlacementTable.SLOTS];
    for (int slot = 0; slot < keys.length; slot++) {
      long beatenBy = 0;
      for (long[] other : weights) {
        beatenBy += other[slot] > mine[slot] ? 1 : 0;
      }
      // Ascending, by rank of the weight, then by the weight, then by the slot.
      long weight = (~mine[slot] ^ Long.MIN_VALUE) >>> 20;
      keys[slot] = beatenBy << 56 | weight << 12 | slot;
    }
    Arrays.sort(keys);
    int[] slots = new int[keys.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = (int) keys[i] & (PlacementTable.SLOTS - 1);
    }
    return slots;
  }
}
