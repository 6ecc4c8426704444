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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With what a member joins. */
class JoiningTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final RepairBench bench = new RepairBench(3);
  private final MemberId joiner = bench.members.get(2);
  private final Key key = Key.of("k");

  private Layout joining(long epoch) {
    List<Member> members =
        bench.members.stream()
            .map(id ->
                new Member(id, "", id.equals(joiner) ? MemberState.JOINING : MemberState.ACTIVE))
            .toList();
    return Layout.of(new Topology("bench", epoch, Phase.TRANSFERRING, members));
  }

  private Site startWith(Layout layout) {
    Site site = bench.start(joiner, layout);
    bench.pass(SECOND);
    return site;
  }

  @BeforeEach
  void joinAndTakeARecord() {
    startWith(joining(2));
    bench.store(joiner).put(key, bench.live(SECOND, 3));
    bench.kill(joiner);
  }

  @Test
  void whatCameInThisChangeStays() {
    Site again = startWith(joining(2));
    assertThat(again.startOvers).isEmpty();
    assertThat(again.votesOnAll()).isTrue();
    assertThat(bench.store(joiner).get(key)).isPresent();
  }

  @Test
  void whatCameInAnEarlierChangeIsPutAside() {
    Site again = startWith(joining(4));
    assertThat(again.startOvers).hasSize(1);
    assertThat(again.votesOnAll()).isTrue();
    assertThat(bench.store(joiner).get(key)).isEmpty();
    bench.kill(joiner);
    assertThat(startWith(joining(4)).startOvers).as("once").isEmpty();
  }

  @Test
  void aMemberThatHasJoinedKeepsItAll() {
    Site member = startWith(RepairBench.layoutOf(4, bench.members));
    assertThat(member.startOvers).isEmpty();
    assertThat(bench.store(joiner).get(key)).isPresent();
  }
}
