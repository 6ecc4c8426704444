package dev.kvorum.repair.rebuild;

import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.topology.MemberId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which slots of an emptied member are back, as copies from the others become complete.
 *
 * <p>A write that was acknowledged by a majority of its replicas, this member among them, is still
 * with half of them. So, whatever number of copies a writer asked for, half of those replicas
 * (rounded up) have to have been copied from; ones that were emptied themselves do not count. Where
 * so many were emptied that there are not enough left, all have to be copied from, and what can be
 * read of corrupted stores, this member's own and theirs, has to be in these copies.
 */
final class SlotRecovery {
  private enum Source {
    FULL,
    EMPTIED
  }

  private final List<SlotMap> maps;
  private final MemberId self;
  private final Map<MemberId, Source> complete = new HashMap<>();

  SlotRecovery(List<SlotMap> maps, MemberId self) {
    this.maps = maps;
    this.self = self;
  }

  /**
   * A copy of all that this member has to keep has come from another one.
   *
   * @param emptied whether that one was waiting for its slots when the copy began
   */
  void completed(MemberId source, boolean emptied) {
    complete.merge(
        source,
        emptied ? Source.EMPTIED : Source.FULL,
        (old, now) -> old == Source.FULL ? old : now);
  }

  /** The slots that are back, in all maps by which records are read. */
  BitSet back() {
    return slots(list -> isEach(list, this::isEnough));
  }

  /**
   * The slots of which nothing that a majority acknowledged can be missing: enough members have
   * been copied from that were not emptied. Copies for which this member is the only one asked do
   * not count here.
   */
  BitSet backFromFull() {
    return slots(list -> isEach(list, this::isEnoughOfFull));
  }

  private BitSet slots(Predicate<PreferenceList> wanted) {
    BitSet slots = new BitSet(Slots.COUNT);
    slots.set(0, Slots.COUNT);
    for (SlotMap map : maps) {
      Map<PreferenceList, Boolean> seen = new HashMap<>();
      for (int slot = 0; slot < Slots.COUNT; slot++) {
        if (!seen.computeIfAbsent(map.preferenceList(slot), wanted::test)) {
          slots.clear(slot);
        }
      }
    }
    return slots;
  }

  /** Whether a rule holds for each number of copies that this member may keep one of. */
  private boolean isEach(PreferenceList list, Predicate<Sources> rule) {
    int full = 0;
    int emptied = 0;
    boolean met = false;
    for (int from = 1; from <= list.size(); from++) {
      MemberId member = list.get(from - 1);
      if (member.equals(self)) {
        met = true;
      } else {
        full += complete.get(member) == Source.FULL ? 1 : 0;
        emptied += complete.get(member) == Source.EMPTIED ? 1 : 0;
      }
      int others = met ? from - 1 : from;
      // Before its own rank this member keeps nothing.
      if (met && !rule.test(new Sources(from, others, full, emptied))) {
        return false;
      }
    }
    return true;
  }

  /** Of the first members of a preference list, without this one. */
  private record Sources(int from, int others, int full, int emptied) {
    int needed() {
      return (from + 1) / 2;
    }
  }

  private boolean isEnough(Sources sources) {
    return isEnoughOfFull(sources) || sources.full + sources.emptied == sources.others;
  }

  private boolean isEnoughOfFull(Sources sources) {
    return sources.full >= sources.needed() || sources.others == 0;
  }
}
