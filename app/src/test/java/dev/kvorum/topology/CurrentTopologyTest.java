package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurrentTopologyTest {
  @Test
  void takesNewerEpochsOnly() {
    CurrentTopology current = new CurrentTopology(epoch(2));

    assertThat(current.offer(epoch(3))).isTrue();
    assertThat(current.get()).isEqualTo(epoch(3));
    assertThat(current.offer(epoch(3))).isFalse();
    assertThat(current.offer(epoch(1))).isFalse();
    assertThat(current.get()).isEqualTo(epoch(3));
  }

  private static Topology epoch(long epoch) {
    Member member = new Member(new MemberId("a"), "", MemberState.ACTIVE);
    return Topology.stable("c", epoch, List.of(member));
  }
}
