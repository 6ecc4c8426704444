package dev.kvorum.membership;

import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts topologies from and to the maps and lists of a {@code KvorumTopology}'s spec. */
final class TopologyMapper {
  private TopologyMapper() {}

  /**
   * Converts a spec.
   *
   * @throws IllegalArgumentException with a message that names the error
   */
  static Topology read(Map<?, ?> spec) {
    List<Member> members = new ArrayList<>();
    if (!(spec.get("members") instanceof List<?> list)) {
      throw new IllegalArgumentException("spec.members is not a list");
    }
    for (Object entry : list) {
      if (!(entry instanceof Map<?, ?> member)) {
        throw new IllegalArgumentException("a member is not an object: " + entry);
      }
      MemberId id = new MemberId(text(member, "name"));
      String zone = member.get("zone") instanceof String named ? named : "";
      String nextZone = member.get("nextZone") instanceof String named ? named : zone;
      members.add(new Member(id, zone, one(MemberState.class, text(member, "state")), nextZone));
    }
    if (!(spec.get("epoch") instanceof Number epoch) || epoch.longValue() < 1) {
      throw new IllegalArgumentException("spec.epoch is not a positive number");
    }
    return new Topology(
        text(spec, "clusterId"),
        epoch.longValue(),
        one(Phase.class, text(spec, "phase")),
        members,
        Feature.of(features(spec)));
  }

  private static List<String> features(Map<?, ?> spec) {
    return spec.get("features") instanceof List<?> labels
        ? labels.stream().map(String::valueOf).toList()
        : List.of();
  }

  private static String text(Map<?, ?> map, String name) {
    if (map.get(name) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw new IllegalArgumentException("there is no '" + name + "'");
  }

  private static <E extends Enum<E>> E one(Class<E> type, String text) {
    return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
  }
}
