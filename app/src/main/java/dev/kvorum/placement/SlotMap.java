package dev.kvorum.placement;

import dev.kvorum.data.Key;
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
 * Who keeps what: the preference list of every slot, a pure function of the members' names and
 * zones.
 *
 * <p>Rendezvous hashing (Thaler and Ravishankar, 1998) with a bound on load: members join one after
 * the other, in {@linkplain JoinOrder an order of their names}, and each takes its fair share from
 * those that have more than theirs. First places are fair to within one slot. Lists alternate
 * between zones, which goes before an equal number of copies: with three members in one zone and
 * one in another, that one keeps a copy of everything that has two.
 *
 * <p>What is joined last takes its share and nothing else moves. The result is part of what is on
 * disk: a change of it needs a way to migrate.
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
   * The map of these members, in whatever order they are given; their states do not matter.
   *
   * @throws IllegalArgumentException when there are none, more than {@link Topology#MEMBERS_MAX},
   *     or one twice
   */
  public static SlotMap of(List<Member> members) {
    List<Member> joining = new ArrayList<>(members);
    joining.sort(Comparator.comparing(Member::id, new JoinOrder()));
    check(joining);
    byte[][] table = Table.of(joining);
    Map<ByteBuffer, Short> indexes = new HashMap<>();
    List<PreferenceList> distinct = new ArrayList<>();
    short[] distinctBySlot = new short[Slots.COUNT];
    for (int slot = 0; slot < distinctBySlot.length; slot++) {
      ByteBuffer order = ByteBuffer.wrap(table[slot]);
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
   * The members of a slot, in order.
   *
   * @throws IndexOutOfBoundsException when there is no such slot
   */
  public PreferenceList preferenceList(int slot) {
    return bySlot[slot];
  }

  /** The members of a key's slot, in order. */
  public PreferenceList preferenceList(Key key) {
    return bySlot[Slots.of(key)];
  }

  /** A value for each slot that depends on its members alone; computed once for equal lists. */
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
