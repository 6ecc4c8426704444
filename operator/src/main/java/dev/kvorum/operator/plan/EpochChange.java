package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayList;
import java.util.List;

/** A step from one epoch to the next (docs/adr/0011). */
public sealed interface EpochChange {
  /** The member that it is about. */
  String member();

  /** The epoch that follows. */
  KvorumTopologySpec next();

  /** A member is to come. */
  record AnnounceJoining(String member, KvorumTopologySpec next) implements EpochChange {}

  /** A member is to go. */
  record AnnounceLeaving(String member, KvorumTopologySpec next) implements EpochChange {}

  /** All is copied: read both sets. */
  record BeginSettling(String member, KvorumTopologySpec next) implements EpochChange {}

  /** The new set is the only one. */
  record MakeStable(String member, KvorumTopologySpec next) implements EpochChange {}

  /** The old set is the only one again. */
  record Cancel(String member, KvorumTopologySpec next) implements EpochChange {}

  static EpochChange joining(KvorumTopologySpec now, String name, String zone) {
    List<TopologyMember> members = new ArrayList<>(now.members());
    members.add(new TopologyMember(name, zone, MemberState.JOINING));
    return new AnnounceJoining(name, now.next(TopologyPhase.TRANSFERRING, members));
  }

  static EpochChange leaving(KvorumTopologySpec now, TopologyMember goes) {
    List<TopologyMember> members =
        now.members().stream()
            .map(member -> member.equals(goes) ? member.as(MemberState.LEAVING) : member)
            .toList();
    return new AnnounceLeaving(goes.name(), now.next(TopologyPhase.TRANSFERRING, members));
  }

  static EpochChange settling(KvorumTopologySpec now, TopologyMember changing) {
    return new BeginSettling(changing.name(), now.next(TopologyPhase.SETTLING, now.members()));
  }

  static EpochChange stable(KvorumTopologySpec now, TopologyMember changing) {
    return new MakeStable(changing.name(), without(now, MemberState.LEAVING));
  }

  static EpochChange cancel(KvorumTopologySpec now, TopologyMember changing) {
    return new Cancel(changing.name(), without(now, MemberState.JOINING));
  }

  private static KvorumTopologySpec without(KvorumTopologySpec now, MemberState dropped) {
    List<TopologyMember> members =
        now.members().stream()
            .filter(member -> member.state() != dropped)
            .map(member -> member.as(MemberState.ACTIVE))
            .toList();
    return now.next(TopologyPhase.STABLE, members);
  }
}
