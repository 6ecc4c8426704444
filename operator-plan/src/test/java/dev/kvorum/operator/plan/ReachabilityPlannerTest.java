package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.view.GatedPod;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Release;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which readiness gates close and open. */
class ReachabilityPlannerTest {
  private final Set<String> members = new TreeSet<>();
  private final Map<String, GatedPod> pods = new TreeMap<>();
  private final Map<String, NodeReport> reports = new HashMap<>();

  /** Members whose gates are open, and who are all connected. */
  private void members(int count) {
    for (int ordinal = 0; ordinal < count; ordinal++) {
      members.add(name(ordinal));
      pods.put(name(ordinal), new GatedPod(name(ordinal), Optional.of(true), true, true));
    }
    for (int ordinal = 0; ordinal < count; ordinal++) {
      report(ordinal);
    }
  }

  private static String name(int ordinal) {
    return "kvorum-" + ordinal;
  }

  private void report(int ordinal, Integer... disconnected) {
    List<Integer> away = List.of(disconnected);
    Map<String, NodeReport.PeerView> peers = new HashMap<>();
    for (String member : members) {
      boolean connected = !away.contains(World.ordinal(member));
      peers.put(member, new NodeReport.PeerView(connected, 0));
    }
    reports.put(
        name(ordinal),
        new NodeReport(
            "id",
            name(ordinal),
            Release.UNKNOWN,
            Set.of(),
            Set.of(),
            1,
            Optional.empty(),
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            true,
            0,
            peers,
            Map.of(),
            "",
            OptionalLong.empty(),
            OptionalLong.empty()));
  }

  private void dies(int ordinal) {
    reports.remove(name(ordinal));
    for (String name : new ArrayList<>(reports.keySet())) {
      report(World.ordinal(name), ordinal);
    }
  }

  private void pod(int ordinal, Optional<Boolean> reachable, boolean ready, boolean containers) {
    pods.put(name(ordinal), new GatedPod(name(ordinal), reachable, ready, containers));
  }

  private Map<String, Boolean> changes() {
    return ReachabilityPlanner.changes(members, pods.values(), reports.values());
  }

  @Test
  void aMemberThatTheOthersCannotReachIsLeftOutUntilTheyCan() {
    members(3);
    assertThat(changes()).isEmpty();
    dies(1);
    assertThat(changes()).isEqualTo(Map.of("kvorum-1", false));
    pod(1, Optional.of(false), false, true);
    assertThat(changes()).isEmpty();
    report(1, 0);
    report(0, 1);
    report(2);
    assertThat(changes()).as("connected to one and to itself").isEqualTo(Map.of("kvorum-1", true));
  }

  @Test
  void oneOfTwoPeersIsNoMajority() {
    members(3);
    report(0, 1);
    assertThat(changes()).isEmpty();
    reports.remove("kvorum-1");
    reports.remove("kvorum-2");
    assertThat(changes()).isEmpty();
    pod(1, Optional.of(false), false, true);
    assertThat(changes()).as("nor to open it again").isEmpty();
  }

  @Test
  void aMajorityStaysReady() {
    members(3);
    pod(2, Optional.of(true), false, false);
    dies(1);
    report(2, 1);
    assertThat(changes()).isEmpty();
    members(5);
    reports.clear();
    report(0, 3, 4);
    report(1, 3, 4);
    report(2, 3, 4);
    assertThat(changes()).isEqualTo(Map.of("kvorum-3", false, "kvorum-4", false));
    pod(0, Optional.of(true), false, true);
    assertThat(changes()).isEqualTo(Map.of("kvorum-3", false));
  }

  @Test
  void oneOfTwoMembersIsNeverLeftOut() {
    members(2);
    dies(1);
    assertThat(changes()).isEmpty();
  }

  @Test
  void aContainerThatIsBeingRestartedNeedsNoGate() {
    members(3);
    pod(1, Optional.of(true), false, false);
    dies(1);
    assertThat(changes()).isEmpty();
  }

  @Test
  void aNewPodIsOpenAndOneThatIsNoMemberAnyMoreStaysAsItIs() {
    members(3);
    pod(1, Optional.empty(), false, false);
    reports.remove("kvorum-1");
    pod(3, Optional.empty(), false, false);
    pod(4, Optional.of(false), false, true);
    assertThat(changes()).isEqualTo(Map.of("kvorum-1", true, "kvorum-3", true));
  }

  @Test
  void aNodeThatIsNoMemberHasNoVote() {
    members(3);
    report(0, 1);
    report(3, 1);
    assertThat(changes()).isEmpty();
  }
}
