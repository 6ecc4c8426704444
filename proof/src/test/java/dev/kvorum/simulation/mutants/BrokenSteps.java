package dev.kvorum.simulation.mutants;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.plan.EpochChange;
import dev.kvorum.operator.view.Observed;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What the operator's patched planner calls in place of what it should: public, as it is there. */
public final class BrokenSteps {
  private BrokenSteps() {}

  /** No reason to wait. */
  public static Optional<?> none(Object observed) {
    return Optional.empty();
  }

  /** A member leaves, and the one before it too. */
  public static EpochChange twoLeave(KvorumTopologySpec now, TopologyMember goes) {
    List<TopologyMember> all = now.members();
    TopologyMember other = all.get(Math.floorMod(all.indexOf(goes) - 1, all.size()));
    List<TopologyMember> members =
        all.stream()
            .map(member ->
                member.equals(goes) || member.equals(other)
                    ? member.as(MemberState.LEAVING)
                    : member)
            .toList();
    return new EpochChange.AnnounceLeaving(
        goes.name(), now.next(TopologyPhase.TRANSFERRING, members));
  }

  /** No reason to wait for either. */
  public static Optional<?> neither(Object observed, Object other) {
    return Optional.empty();
  }

  /** A member is none any more, at once. */
  public static EpochChange leavesAtOnce(KvorumTopologySpec now, TopologyMember goes) {
    List<TopologyMember> rest =
        now.members().stream().filter(member -> !member.equals(goes)).toList();
    return new EpochChange.MakeStable(
        goes.name(), MemberState.LEAVING, now.next(TopologyPhase.STABLE, rest));
  }

  /** Members have other zones, at once. */
  public static EpochChange movesAtOnce(KvorumTopologySpec now, Map<String, String> zones) {
    List<TopologyMember> moved =
        now.members().stream()
            .map(member ->
                new TopologyMember(
                    member.name(),
                    zones.getOrDefault(member.name(), member.zone()),
                    member.state()))
            .toList();
    return new EpochChange.MakeStable(
        "all", MemberState.MOVING, now.next(TopologyPhase.STABLE, moved));
  }

  /** A change that is not wanted any more is completed, at once. */
  public static EpochChange completes(KvorumTopologySpec now) {
    TopologyMember changing = now.changing().getFirst();
    List<TopologyMember> members =
        now.members().stream()
            .filter(member -> member.state() != MemberState.LEAVING)
            .map(TopologyMember::changed)
            .toList();
    return new EpochChange.MakeStable(
        changing.name(), changing.state(), now.next(TopologyPhase.STABLE, members));
  }

  /** Takes a node that has not answered for one without a copy. */
  public static OptionalLong neverListed(Observed observed, int ordinal) {
    return OptionalLong.of(0);
  }

  /** Takes any copy for the newest. */
  public static Object anyCopy(
      Collection<KvorumTopologySpec> copies, Comparator<KvorumTopologySpec> byEpoch) {
    return copies.iterator().next();
  }
}
