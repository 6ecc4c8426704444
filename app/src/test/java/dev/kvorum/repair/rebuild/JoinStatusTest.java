package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.repair.RepairHarness;
import dev.kvorum.repair.RepairMember;
import dev.kvorum.repair.salvage.MemorySetAside;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With what a member joins. */
class JoinStatusTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RepairHarness harness = new RepairHarness(3);
  private final MemberId joiner = harness.members.get(2);
  private final Key key = Key.of("k");

  private Layout joining(long epoch) {
    List<Member> members =
        harness.members.stream()
            .map(id ->
                new Member(id, "", id.equals(joiner) ? MemberState.JOINING : MemberState.ACTIVE))
            .toList();
    return Layout.of(new Topology("bench", epoch, Phase.TRANSFERRING, members));
  }

  private RepairMember startWith(Layout layout) {
    RepairMember site = harness.start(joiner, layout);
    harness.pass(SECOND);
    return site;
  }

  @BeforeEach
  void joinAndTakeARecord() {
    startWith(joining(2));
    harness.store(joiner).put(key, harness.live(SECOND, 3));
    harness.kill(joiner);
  }

  @Test
  void whatCameInThisChangeStays() {
    RepairMember again = startWith(joining(2));
    assertThat(again.resets).isEmpty();
    assertThat(again.votesOnAll()).isTrue();
    assertThat(harness.store(joiner).get(key)).isPresent();
  }

  @Test
  void whatCameInAnEarlierChangeIsPutAside() {
    RepairMember again = startWith(joining(4));
    assertThat(again.resets).hasSize(1);
    assertThat(again.votesOnAll()).isTrue();
    assertThat(harness.store(joiner).get(key)).isEmpty();
    harness.kill(joiner);
    assertThat(startWith(joining(4)).resets).as("once").isEmpty();
  }

  @Test
  void needsNothingOfAStoreThatWasSetAsideMeanwhile() {
    MemorySetAside corrupted = new MemorySetAside(List.of());
    corrupted.isKnown = false;
    harness.setAside.put(joiner, corrupted);
    harness.store(joiner).reset();
    assertThat(startWith(joining(2)).votesOnAll()).isTrue();
    assertThat(corrupted.isPending()).isFalse();
  }

  @Test
  void aMemberThatHasJoinedKeepsItAll() {
    RepairMember member = startWith(RepairHarness.layoutOf(4, harness.members));
    assertThat(member.resets).isEmpty();
    assertThat(harness.store(joiner).get(key)).isPresent();
  }
}
