package dev.kvorum.repair.antientropy;

import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.topology.MemberId;

/** The least number of copies, slot by slot, with which both of two members keep a record. */
final class SharedSlots {
  private final long[] copiesMin;

  SharedSlots(SlotMap slots, MemberId one, MemberId other) {
    copiesMin = slots.bySlot(list -> 1 + Math.max(rank(list, one), rank(list, other)));
  }

  int copiesMin(int slot) {
    return (int) copiesMin[slot];
  }

  /** A member's place in a list, from 0; the list's size if it is not in it. */
  static int rank(PreferenceList list, MemberId member) {
    for (int rank = 0; rank < list.size(); rank++) {
      if (list.get(rank).equals(member)) {
        return rank;
      }
    }
    return list.size();
  }
}
