package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The members after each step to another number of them, in the order of {@link ScalePlanner}. */
final class ScalePath {
  private ScalePath() {}

  /** Returns the sets of members: the present one, and one for each member that comes or goes. */
  static List<List<TopologyMember>> to(Observed observed, int target) {
    List<List<TopologyMember>> path = new ArrayList<>();
    List<TopologyMember> members = observed.members();
    path.add(members);
    Optional<List<TopologyMember>> next = next(observed, members, target);
    while (next.isPresent()) {
      members = next.get();
      path.add(members);
      next = next(observed, members, target);
    }
    return path;
  }

  private static Optional<List<TopologyMember>> next(
      Observed observed, List<TopologyMember> members, int target) {
    Optional<TopologyMember> last =
        members.stream().max(Comparator.comparingInt(observed::ordinal));
    if (members.size() > target && last.isPresent()) {
      return Optional.of(members.stream().filter(it -> !it.equals(last.get())).toList());
    }
    for (int ordinal = 0; ordinal < target; ordinal++) {
      String name = observed.podName(ordinal);
      if (members.stream().noneMatch(it -> it.name().equals(name))) {
        List<TopologyMember> more = new ArrayList<>(members);
        more.add(new TopologyMember(name, zone(observed, members, ordinal), MemberState.ACTIVE));
        return Optional.of(more);
      }
    }
    return Optional.empty();
  }

  /** Returns the zone of a pod or, without one, the one that Kubernetes would presumably choose. */
  private static String zone(Observed observed, List<TopologyMember> members, int ordinal) {
    PodView pod = observed.pods().get(ordinal);
    if (pod != null && pod.place().isPresent()) {
      return BootstrapPlanner.zone(pod);
    }
    Map<String, Integer> sizes = new TreeMap<>();
    members.stream()
        .map(TopologyMember::zone)
        .filter(zone -> !zone.isEmpty())
        .forEach(zone -> sizes.merge(zone, 1, Integer::sum));
    return sizes.entrySet().stream()
        .min(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse("");
  }
}
