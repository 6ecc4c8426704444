package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import java.util.ArrayList;
import java.util.List;

/** A change from one epoch to the next (docs/adr/0011). */
public sealed interface EpochChange {
  /** The member that joins or leaves. */
  String member();

  /** The next epoch. */
  KvorumTopologySpec next();

  /** Starts to add a member: the slots that it gains are transferred. */
  record AnnounceJoining(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Starts to remove a member: its slots are transferred to the remaining members. */
  record AnnounceLeaving(String member, KvorumTopologySpec next) implements EpochChange {}

  /** All records are copied: reads now ask the old and the new set. */
  record BeginSettling(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Makes the new set the only one. */
  record MakeStable(String member, KvorumTopologySpec next) implements EpochChange {}

  /** Makes the old set the only one again. */
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
