package dev.kvorum.console;

import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The members that keep each slot.
 *
 * @param members names to which the lists refer
 * @param lists for each slot, the numbers of its members in order of preference
 */
record SlotsView(long epoch, List<String> members, List<List<Integer>> lists) {
  /**
   * The slots of a topology before the current change, if there is one.
   *
   * @param copies how many members of each list are returned
   */
  static SlotsView of(Topology topology, SlotMap slots, int copies) {
    List<MemberId> ids = topology.members().stream().map(Member::id).toList();
    List<List<Integer>> lists =
        IntStream.range(0, Slots.COUNT)
            .mapToObj(slot ->
                slots.preferenceList(slot).replicas(copies).stream().map(ids::indexOf).toList())
            .toList();
    return new SlotsView(topology.epoch(), ids.stream().map(MemberId::name).toList(), lists);
  }
}
