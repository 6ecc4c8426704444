package dev.kvorum.placement;

import dev.kvorum.data.Key;
import dev.kvorum.placement.table.JoinOrder;
import dev.kvorum.placement.table.PlacementTable;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The preference list of each slot: a pure function of the members' names and zones.
 *
 * <p>{@link PlacementTable} describes the algorithm. Alternating between zones has priority over
 * equal numbers of copies: with three members in one zone and one in another, the single one keeps
 * a copy of every record that has two copies.
 */
public final class SlotMap {
  private final PreferenceList[] bySlot;

  // A few members have few different orders: many slots share a list.
  private final PreferenceList[] distinct;
  private final short[] distinctBySlot;

  private SlotMap(PreferenceList[] distinct, short[] distinctBySlot) {
    this.distinct = distinct;
    this.distinctBySlot = distinctBySlot;
    this.bySlot = new PreferenceList[distinctBySlot.length];
    Arrays.setAll(bySlot, slot -> distinct[distinctBySlot[slot]]);
  }

  /**
   * Creates the map of these members. Their order and states do not matter.
   *
   * @throws IllegalArgumentException if there are no members, more than {@link
   *     Topology#MEMBERS_MAX}, or duplicates
   */
  public static SlotMap of(List<Member> members) {
    List<Member> joining = new ArrayList<>(members);
    joining.sort(Comparator.comparing(member -> member.id().name(), new JoinOrder()));
    check(joining);
    PlacementTable table = new PlacementTable();
    joining.forEach(member -> table.join(member.id().name(), member.zone()));
    Map<ByteBuffer, Short> indexes = new HashMap<>();
    List<PreferenceList> distinct = new ArrayList<>();
    short[] distinctBySlot = new short[Slots.COUNT];
    for (int slot = 0; slot < distinctBySlot.length; slot++) {
      ByteBuffer order = ByteBuffer.wrap(table.list(slot));
      distinctBySlot[slot] =
          indexes.computeIfAbsent(
              order,
              added -> {
                distinct.add(named(added, joining));
                return (short) (distinct.size() - 1);
              });
    }
    return new SlotMap(distinct.toArray(new PreferenceList[0]), distinctBySlot);
  }

  /**
   * The members of a slot, most preferred first.
   *
   * @throws IndexOutOfBoundsException if there is no such slot
   */
  public PreferenceList preferenceList(int slot) {
    return bySlot[slot];
  }

  /** The members of a key's slot, most preferred first. */
  public PreferenceList preferenceList(Key key) {
    return bySlot[Slots.of(key)];
  }

  /** Computes a value for each slot that depends only on its members, once for equal lists. */
  public long[] bySlot(ToLongFunction<PreferenceList> value) {
    long[] computed = Arrays.stream(distinct).mapToLong(value).toArray();
    long[] values = new long[distinctBySlot.length];
    Arrays.setAll(values, slot -> computed[distinctBySlot[slot]]);
    return values;
  }

  private static void check(List<Member> members) {
    if (members.isEmpty() || members.size() > Topology.MEMBERS_MAX) {
      throw new IllegalArgumentException("cannot place " + members.size() + " members");
    }
    for (int i = 1; i < members.size(); i++) {
      if (members.get(i).id().equals(members.get(i - 1).id())) {
        throw new IllegalArgumentException("member " + members.get(i).id() + " is listed twice");
      }
    }
  }

  private static PreferenceList named(ByteBuffer indexes, List<Member> members) {
    List<MemberId> names = new ArrayList<>(members.size());
    for (int rank = 0; rank < indexes.limit(); rank++) {
      names.add(members.get(indexes.get(rank)).id());
    }
    return new PreferenceList(names);
  }
}
