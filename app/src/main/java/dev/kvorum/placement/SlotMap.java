package dev.kvorum.placement;

import dev.kvorum.data.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who keeps what: the preference list of every slot, a pure function of the members' names and
 * zones.
 */
public final class SlotMap {
  private final PreferenceList[] bySlot;

  private SlotMap(PreferenceList[] bySlot) {
    this.bySlot = bySlot;
  }

  /** The map of these members, in whatever order they are given. */
  public static SlotMap of(List<Member> members) {
    List<Member> joining = new ArrayList<>(members);
    joining.sort(Comparator.comparing(Member::id, new JoinOrder()));
    byte[][] table = Table.of(joining);
    // A few members have few different orders: slots share their lists.
    Map<ByteBuffer, PreferenceList> shared = new HashMap<>();
    PreferenceList[] bySlot = new PreferenceList[Slots.COUNT];
    for (int slot = 0; slot < bySlot.length; slot++) {
      bySlot[slot] =
          shared.computeIfAbsent(ByteBuffer.wrap(table[slot]), list -> named(list, joining));
    }
    return new SlotMap(bySlot);
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

  @SuppressWarnings("ByteBufferBackingArray")
  private static PreferenceList named(ByteBuffer indexes, List<Member> members) {
    List<MemberId> names = new ArrayList<>(members.size());
    for (byte index : indexes.array()) {
      names.add(members.get(index).id());
    }
    return new PreferenceList(names);
  }
}
