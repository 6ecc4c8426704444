package dev.kvorum.placement;

import dev.kvorum.topology.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The preference lists of all slots during their construction: members join one after the other.
 */
final class Table {
  private final byte[][] lists = new byte[Slots.COUNT][0];
  private final List<String> zoneNames = new ArrayList<>();
  private final List<long[]> weights = new ArrayList<>();
  private int[] zones = new int[0];
  private int[] zoneSizes = new int[0];

  private Table() {}

  /** Returns by slot the indexes of the members, in order of preference. */
  static byte[][] of(List<Member> inJoinOrder) {
    Table table = new Table();
    for (Member member : inJoinOrder) {
      table.join(member);
    }
    return table.lists;
  }

  private void join(Member member) {
    int zone = zoneNames.indexOf(member.zone());
    if (zone < 0) {
      zone = zoneNames.size();
      zoneNames.add(member.zone());
      zoneSizes = Arrays.copyOf(zoneSizes, zone + 1);
    }
    zones = Arrays.copyOf(zones, zones.length + 1);
    zones[zones.length - 1] = zone;
    zoneSizes[zone]++;
    weights.add(Rendezvous.weights(member.id()));
    new Join(lists, zones, zoneSizes, wantedSlots()).run();
  }

  /**
   * All slots, starting with those in which the fewest members have a higher weight than the newest
   * one.
   */
  private int[] wantedSlots() {
    long[] mine = weights.getLast();
    long[] keys = new long[Slots.COUNT];
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
      slots[i] = (int) keys[i] & (Slots.COUNT - 1);
    }
    return slots;
  }
}
