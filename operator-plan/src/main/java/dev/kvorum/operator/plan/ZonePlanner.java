package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans that members are placed by the zones of their machines: after a pod was scheduled in
 * another zone, or machines got other labels. All such members move in one change. A machine
 * without a label moves nobody, since the label is more likely lost than the zone.
 */
final class ZonePlanner {
  /** What nodes report if they know members that move. */
  static final String OPERATION = "moving";

  private ZonePlanner() {}

  /** Starts a change once all members are healthy and have completed the last one. */
  static Optional<Step> begin(Observed observed) {
    KvorumTopologySpec topology = observed.epoch().orElseThrow();
    Map<String, String> zones = moves(observed);
    boolean waits =
        Health.ofMembers(observed).or(() -> Health.unsettled(observed, topology)).isPresent();
    return zones.isEmpty() || waits || !obstacle(observed, zones).isEmpty()
        ? Optional.empty()
        : Optional.of(new Step.NextEpoch(EpochChange.moving(topology, zones)));
  }

  /** Returns whether the members that move still run, as far as known, where they move to. */
  static boolean isWanted(Observed observed) {
    return observed.members().stream()
        .filter(member -> member.state() == MemberState.MOVING)
        .allMatch(
            member -> zone(observed, member).filter(it -> !it.equals(member.nextZone())).isEmpty());
  }

  /** Returns why members that run in other zones cannot be placed by them. */
  static Optional<Notice> obstacle(Observed observed) {
    Map<String, String> zones = moves(observed);
    String why = zones.isEmpty() ? "" : obstacle(observed, zones);
    return why.isEmpty()
        ? Optional.empty()
        : Health.notice(
            Reason.ZONE_DIFFERS,
            String.join(", ", zones.keySet())
                + ": copies are not placed by the zone of the machine, because "
                + why);
  }

  /** Returns why these moves cannot begin; an empty text if they can. */
  private static String obstacle(Observed observed, Map<String, String> zones) {
    boolean known =
        observed.members().stream().allMatch(member -> Health.has(observed, member, OPERATION));
    if (!known) {
      return "not all nodes have an image that can change this";
    }
    List<String> full = DiskCheck.fullAfterMoves(observed, zones);
    return full.isEmpty()
        ? ""
        : "the data would not fit on " + String.join(", ", full) + "; raise storage.size";
  }

  /** Returns the actual zones of active members that are listed with others, by name. */
  private static Map<String, String> moves(Observed observed) {
    Map<String, String> zones = new TreeMap<>();
    for (TopologyMember member : observed.members()) {
      zone(observed, member)
          .filter(zone -> member.state() == MemberState.ACTIVE && !zone.equals(member.zone()))
          .ifPresent(zone -> zones.put(member.name(), zone));
    }
    return zones;
  }

  private static Optional<String> zone(Observed observed, TopologyMember member) {
    return observed.place(member).map(Place::zone).filter(it -> !it.isEmpty());
  }
}
