package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members compare nothing while the members change, and continue afterwards. */
class PausedSessionsTest {
  private static final Duration ROUND = RepairHarness.INTERVAL.multipliedBy(3);

  private final RepairHarness harness = new RepairHarness(3).start();
  private final MemberId a = harness.members.get(0);
  private final Key key = Key.of("missing on a");

  private Layout changing() {
    List<Member> members =
        harness.members.stream()
            .map(id -> new Member(id, "", id.equals(a) ? MemberState.ACTIVE : MemberState.LEAVING))
            .toList();
    return Layout.of(new Topology("bench", 2, Phase.TRANSFERRING, members));
  }

  private void follow(Layout layout, MemberId... except) {
    harness.members.stream()
        .filter(member -> !List.of(except).contains(member))
        .forEach(member -> harness.site(member).follow(layout));
  }

  private double completedOfA() {
    return harness.site(a).counted("kvorum.repair.sessions", "outcome", "completed");
  }

  /** Messages of repair in some rounds, without what was under way. */
  private long messagesFromNowOn() {
    harness.pass(Duration.ofSeconds(1));
    long before = harness.network.messages();
    harness.pass(ROUND);
    return harness.network.messages() - before;
  }

  @BeforeEach
  void compare() {
    harness.pass(ROUND);
    assertThat(completedOfA()).isPositive();
  }

  private void missARecord() {
    harness.putExcept(key, harness.live(Duration.ofMinutes(1), 3), Set.of(a));
  }

  private void assertRepairedWhenTheMembersAreStable() {
    assertThat(harness.store(a).get(key)).as("during the change").isEmpty();
    follow(RepairHarness.layoutOf(3, harness.members));
    harness.pass(ROUND);
    assertThat(harness.store(a).get(key)).as("seed %d", harness.seed).isPresent();
  }

  @Test
  void noSessionBeginsWhileTheMembersChange() {
    assertThat(messagesFromNowOn()).isPositive();
    missARecord();
    follow(changing());
    assertThat(messagesFromNowOn()).isZero();
    assertRepairedWhenTheMembersAreStable();
  }

  @Test
  void aMemberThatHasSeenTheChangeServesNoSession() {
    missARecord();
    follow(changing(), a);
    double completed = completedOfA();
    assertThat(messagesFromNowOn()).as("requests of a").isPositive();
    assertThat(completedOfA()).isEqualTo(completed);
    assertRepairedWhenTheMembersAreStable();
  }
}
