package dev.kvorum.backup.manifest;

import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Which acknowledged writes a set of checkpoints has. A write to {@code from} replicas is
 * acknowledged by a majority of them; so it is in some checkpoint if a majority of the replicas of
 * its slot made one.
 */
public final class Coverage {
  private Coverage() {}

  /**
   * The numbers of copies, from 1 to the number of members, whose acknowledged writes are covered
   * in every slot.
   *
   * @param members of the topology under which all checkpoints were made
   * @param present those that made a checkpoint and had all their records
   */
  public static List<Integer> covered(List<Member> members, Set<MemberId> present) {
    SlotMap slots = SlotMap.of(members);
    List<Integer> covered = new ArrayList<>();
    for (int from = 1; from <= members.size(); from++) {
      if (isCovered(slots, from, present)) {
        covered.add(from);
      }
    }
    return covered;
  }

  private static boolean isCovered(SlotMap slots, int from, Set<MemberId> present) {
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      if (!hasMajority(slots.preferenceList(slot), from, present)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasMajority(PreferenceList order, int from, Set<MemberId> present) {
    int count = 0;
    for (int rank = 0; rank < from; rank++) {
      if (present.contains(order.get(rank))) {
        count++;
      }
    }
    return 2 * count > from;
  }
}
