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
 * Tracks which slots of an emptied member are restored as streams from its peers complete.
 *
 * <p>A write that a majority of its replicas acknowledged, this member among them, is still on half
 * of them. So a slot is restored once this member has copied from half of the replicas (rounded
 * up), for every number of copies that a writer may have asked for. Sources that were emptied
 * themselves do not count. If so many were emptied that too few are left, this member has to copy
 * from all of them, including everything that can be read of corrupted stores, its own and theirs.
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
   * Records that all records which this member keeps have been streamed from a source.
   *
   * @param emptied whether the source was being rebuilt when the stream began
   */
  void completed(MemberId source, boolean emptied) {
    complete.merge(
        source,
        emptied ? Source.EMPTIED : Source.FULL,
        (old, now) -> old == Source.FULL ? old : now);
  }

  /** Slots that are restored in every map by which records are read. */
  BitSet back() {
    return slots(list -> isEach(list, this::isEnough));
  }

  /**
   * Slots in which no write that a majority acknowledged can be missing: enough sources were not
   * emptied. Records whose only replica is this member are not covered.
   */
  BitSet backFromFull() {
    return slots(list -> isEach(list, this::isEnoughOfFull));
  }

  private BitSet slots(Predicate<PreferenceList> wanted) {
    BitSet slots = new BitSet(Slots.COUNT);
    slots.set(0, Slots.COUNT);
    for (SlotMap map : maps) {
      long[] met = map.bySlot(list -> wanted.test(list) ? 1 : 0);
      for (int slot = 0; slot < Slots.COUNT; slot++) {
        if (met[slot] == 0) {
          slots.clear(slot);
        }
      }
    }
    return slots;
  }

  /** Whether a rule holds for every number of copies with which this member keeps one. */
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
      // With fewer copies this member keeps none.
      if (met && !rule.test(new Sources(from, others, full, emptied))) {
        return false;
      }
    }
    return true;
  }

  /** Sources among the first members of a preference list, without this member. */
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
