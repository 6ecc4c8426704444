package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.LossStatus;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import dev.kvorum.placement.table.PlacementTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the failure of a zone or a machine does to the quorums of slots. */
final class FailureForecast {
  private static final int LISTED_MAX = 10;

  private FailureForecast() {}

  /** Returns what each zone and machine would take with it, the worst of each kind first. */
  static List<LossStatus> of(Observed observed, Placement placement) {
    List<Loss> zones =
        by(observed, TopologyMember::zone).entrySet().stream()
            .map(zone -> loss(observed, placement, zone.getKey(), null, zone.getValue()))
            .toList();
    List<Loss> machines =
        by(observed, member -> observed.place(member).map(Place::machine).orElse(""))
            .entrySet()
            .stream()
            .map(host -> loss(observed, placement, null, host.getKey(), host.getValue()))
            .toList();
    return Stream.concat(worst(zones), worst(machines)).toList();
  }

  private record Loss(int slots, LossStatus status) {}

  private static Loss loss(
      Observed observed,
      Placement placement,
      @Nullable String zone,
      @Nullable String host,
      Set<String> lost) {
    int slots = placement.without(lost, observed.spec().replication() / 2 + 1);
    return new Loss(slots, new LossStatus(zone, host, lost.size(), share(slots)));
  }

  private static Stream<LossStatus> worst(List<Loss> losses) {
    List<Loss> sorted = new ArrayList<>(losses);
    sorted.sort(Comparator.comparingInt(Loss::slots).reversed());
    return sorted.stream().limit(LISTED_MAX).map(Loss::status);
  }

  /** Returns a share in percent that is 0 % or 100 % only if it is exactly that. */
  static String share(int slots) {
    long percent = Math.round(100.0 * slots / PlacementTable.SLOTS);
    if (percent == 0 && slots > 0) {
      return "<1%";
    }
    return percent == 100 && slots < PlacementTable.SLOTS ? ">99%" : percent + "%";
  }

  /** Returns the names of members by their domain, without those whose domain is unknown. */
  private static Map<String, Set<String>> by(
      Observed observed, Function<TopologyMember, String> domain) {
    Map<String, Set<String>> domains = new TreeMap<>();
    for (TopologyMember member : observed.members()) {
      String name = domain.apply(member);
      if (!name.isEmpty()) {
        domains.computeIfAbsent(name, fresh -> new TreeSet<>()).add(member.name());
      }
    }
    return domains;
  }
}
