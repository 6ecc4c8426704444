package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Ordinals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A change from one epoch to the next (docs/adr/0011). {@code member} is the one that joins, leaves
 * or is removed, or the names of those that move.
 */
public sealed interface EpochChange {
  /** The next epoch. */
  KvorumTopologySpec next();

  /** Starts to add a member: the slots that it gains are transferred. */
  record AnnounceJoining(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Starts to remove a member: its slots are transferred to the remaining members. */
  record AnnounceLeaving(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Starts to remove a lost member: its slots are transferred from the other members. */
  record AnnounceRemoving(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Starts to change zones: the slots that members gain thereby are transferred. */
  record AnnounceMoving(String member, KvorumTopologySpec next) implements EpochChange {}

  /** All records are copied: reads now ask the old and the new set. */
  record BeginSettling(String member, MemberState does, KvorumTopologySpec next)
      implements EpochChange {}

  /** Makes the new set the only one. */
  record MakeStable(String member, MemberState did, KvorumTopologySpec next)
      implements EpochChange {}

  /** Makes the old set the only one again. */
  record Cancel(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Activates features that all members have. */
  record ActivateFeatures(List<String> features, KvorumTopologySpec next) implements EpochChange {}

  static EpochChange joining(KvorumTopologySpec now, String name, String zone) {
    List<TopologyMember> members = new ArrayList<>(now.members());
    members.add(new TopologyMember(name, zone, MemberState.JOINING));
    members.sort(Comparator.comparingInt(member -> Ordinals.of(member.name())));
    return new AnnounceJoining(name, now.next(TopologyPhase.TRANSFERRING, members));
  }

  static EpochChange leaving(KvorumTopologySpec now, TopologyMember goes) {
    return new AnnounceLeaving(goes.name(), announced(now, goes, MemberState.LEAVING));
  }

  static EpochChange removing(KvorumTopologySpec now, TopologyMember lost) {
    return new AnnounceRemoving(lost.name(), announced(now, lost, MemberState.REMOVING));
  }

  private static KvorumTopologySpec announced(
      KvorumTopologySpec now, TopologyMember goes, MemberState as) {
    List<TopologyMember> members =
        now.members().stream().map(it -> it.equals(goes) ? it.as(as) : it).toList();
    return now.next(TopologyPhase.TRANSFERRING, members);
  }

  /**
   * Changes the zones of members.
   *
   * @param zones the new zone of each of them, by name
   */
  static EpochChange moving(KvorumTopologySpec now, Map<String, String> zones) {
    List<TopologyMember> members =
        now.members().stream()
            .map(member -> {
              String zone = zones.get(member.name());
              return zone == null ? member : member.movingTo(zone);
            })
            .toList();
    KvorumTopologySpec next = now.next(TopologyPhase.TRANSFERRING, members);
    return new AnnounceMoving(names(next), next);
  }

  static EpochChange settling(KvorumTopologySpec now) {
    return new BeginSettling(
        names(now), kind(now), now.next(TopologyPhase.SETTLING, now.members()));
  }

  static EpochChange stable(KvorumTopologySpec now) {
    return new MakeStable(
        names(now),
        kind(now),
        without(
            now, EnumSet.of(MemberState.LEAVING, MemberState.REMOVING), TopologyMember::changed));
  }

  static EpochChange cancel(KvorumTopologySpec now) {
    return new Cancel(
        names(now),
        without(now, EnumSet.of(MemberState.JOINING), member -> member.as(MemberState.ACTIVE)));
  }

  static EpochChange activating(KvorumTopologySpec now, Collection<String> features) {
    return new ActivateFeatures(List.copyOf(features), now.activating(features));
  }

  /** Returns what the members do that change. */
  private static MemberState kind(KvorumTopologySpec now) {
    return now.changing().getFirst().state();
  }

  private static String names(KvorumTopologySpec topology) {
    return topology.changing().stream().map(TopologyMember::name).collect(Collectors.joining(", "));
  }

  private static KvorumTopologySpec without(
      KvorumTopologySpec now, Set<MemberState> dropped, UnaryOperator<TopologyMember> kept) {
    List<TopologyMember> members =
        now.members().stream()
            .filter(member -> !dropped.contains(member.state()))
            .map(kept)
            .toList();
    return now.next(TopologyPhase.STABLE, members);
  }
}
