package dev.kvorum.simulation.operators;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Objects;

/** Converts topologies between the nodes' form and the operator's, whose pods have other names. */
final class KubeTexts {
  private KubeTexts() {}

  static String pod(MemberId member) {
    return KubeObjects.NAME + "-" + member.name().substring(1);
  }

  static List<TopologyMember> members(Topology topology) {
    return topology.members().stream()
        .map(member ->
            new TopologyMember(
                pod(member.id()),
                member.zone(),
                dev.kvorum.operator.api.MemberState.valueOf(member.state().name()),
                member.state() == MemberState.MOVING ? member.nextZone() : null))
        .toList();
  }

  static TopologyPhase phase(Topology topology) {
    return TopologyPhase.valueOf(topology.phase().name());
  }

  static KvorumTopologySpec spec(Topology topology) {
    return new KvorumTopologySpec(
        topology.clusterId(),
        topology.epoch(),
        phase(topology),
        members(topology),
        Feature.labels(topology.features()));
  }

  static Topology topology(KvorumTopologySpec spec) {
    List<Member> members =
        spec.members().stream()
            .map(member ->
                new Member(
                    new MemberId("n" + KubeObjects.ordinal(member.name())),
                    member.zone(),
                    MemberState.valueOf(member.state().name()),
                    Objects.requireNonNullElse(member.nextZone(), member.zone())))
            .toList();
    return new Topology(
        spec.clusterId(),
        spec.epoch(),
        Phase.valueOf(spec.phase().name()),
        members,
        Feature.of(spec.features()));
  }
}
