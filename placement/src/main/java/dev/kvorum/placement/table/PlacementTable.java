package dev.kvorum.placement.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The preference lists of all slots: members join one after the other, in {@link JoinOrder}. The
 * data on disk depends on the result, so that a change of the algorithm needs a migration.
 */
public final class PlacementTable {
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
    new Join(lists, zones, zoneSizes, wantedSlots()).run();
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
