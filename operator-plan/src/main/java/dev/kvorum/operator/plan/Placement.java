package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.placement.table.JoinOrder;
import dev.kvorum.placement.table.PlacementTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which members keep a slot. */
final class Placement {
  private final List<TopologyMember> members;
  private final byte[][] owners;

  private Placement(List<TopologyMember> members, PlacementTable table, int copies) {
    this.members = List.copyOf(members);
    this.owners = new byte[PlacementTable.SLOTS][];
    for (int slot = 0; slot < owners.length; slot++) {
      owners[slot] = Arrays.copyOf(table.list(slot), Math.min(copies, members.size()));
    }
  }

  /**
   * Returns a placement for each of these sets of members. Sets that differ by the last member in
   * {@link JoinOrder} share the work.
   */
  static List<Placement> of(List<List<TopologyMember>> sets, int copies) {
    Placement[] placements = new Placement[sets.size()];
    List<Integer> bySize = new ArrayList<>();
    for (int i = 0; i < placements.length; i++) {
      bySize.add(i);
    }
    bySize.sort(Comparator.comparingInt(i -> sets.get(i).size()));
    List<TopologyMember> joined = new ArrayList<>();
    PlacementTable table = new PlacementTable();
    for (int i : bySize) {
      List<TopologyMember> wanted = new ArrayList<>(sets.get(i));
      wanted.sort(Comparator.comparing(TopologyMember::name, new JoinOrder()));
      if (joined.size() > wanted.size() || !wanted.subList(0, joined.size()).equals(joined)) {
        joined.clear();
        table = new PlacementTable();
      }
      for (TopologyMember member : wanted.subList(joined.size(), wanted.size())) {
        table.join(member.name(), member.zone());
        joined.add(member);
      }
      placements[i] = new Placement(wanted, table, copies);
    }
    return List.of(placements);
  }

  /** Returns the number of slots that each member keeps, by name. */
  Map<String, Integer> slots() {
    int[] held = new int[members.size()];
    for (byte[] slot : owners) {
      for (byte owner : slot) {
        held[owner]++;
      }
    }
    Map<String, Integer> byName = new HashMap<>();
    for (int i = 0; i < held.length; i++) {
      byName.put(members.get(i).name(), held[i]);
    }
    return byName;
  }

  /** Returns how many copies of slots are not where they were under another placement. */
  int gained(Placement before) {
    int gained = 0;
    for (int slot = 0; slot < owners.length; slot++) {
      List<String> had = before.names(slot);
      gained += (int) names(slot).stream().filter(name -> !had.contains(name)).count();
    }
    return gained;
  }

  /** Returns of how many slots fewer copies than a quorum are left without these members. */
  int without(Set<String> lost, int quorum) {
    boolean[] isLost = new boolean[members.size()];
    for (int i = 0; i < isLost.length; i++) {
      isLost[i] = lost.contains(members.get(i).name());
    }
    int slots = 0;
    for (byte[] slot : owners) {
      int left = 0;
      for (byte owner : slot) {
        left += isLost[owner] ? 0 : 1;
      }
      slots += left < quorum ? 1 : 0;
    }
    return slots;
  }

  private List<String> names(int slot) {
    List<String> names = new ArrayList<>(owners[slot].length);
    for (byte owner : owners[slot]) {
      names.add(members.get(owner).name());
    }
    return names;
  }
}
