package dev.kvorum.repair.antientropy;

import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.topology.MemberId;
import java.util.IdentityHashMap;

/** How many copies a record has to have, slot by slot, for two members to both keep one. */
final class SharedSlots {
  private final byte[] copiesMin = new byte[Slots.COUNT];

  SharedSlots(SlotMap slots, MemberId one, MemberId other) {
    // Slots share their lists.
    IdentityHashMap<PreferenceList, Byte> known = new IdentityHashMap<>();
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      copiesMin[slot] =
          known.computeIfAbsent(
              slots.preferenceList(slot),
              list -> (byte) (1 + Math.max(rank(list, one), rank(list, other))));
    }
  }

  int copiesMin(int slot) {
    return copiesMin[slot];
  }

  /** A member's place in a list, from 0; one that is not in it comes behind all. */
  static int rank(PreferenceList list, MemberId member) {
    for (int rank = 0; rank < list.size(); rank++) {
      if (list.get(rank).equals(member)) {
        return rank;
      }
    }
    return list.size();
  }
}
