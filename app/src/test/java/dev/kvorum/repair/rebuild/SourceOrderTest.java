package dev.kvorum.repair.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SourceOrderTest {
  private static List<Integer> orderFor(String... zones) {
    List<MemberId> ids =
        IntStream.range(0, zones.length).mapToObj(i -> new MemberId("m" + i)).toList();
    List<Member> members =
        IntStream.range(0, zones.length)
            .mapToObj(i -> new Member(ids.get(i), zones[i], MemberState.ACTIVE))
            .toList();
    List<MemberId> peers = ids.subList(1, ids.size());
    return SourceOrder.of(Topology.stable("order", 1, members), ids.getFirst(), peers).stream()
        .map(ids::indexOf)
        .toList();
  }

  @Test
  void thoseOfItsOwnZoneComeLast() {
    assertThat(orderFor("a", "a", "b", "a", "c", "b")).containsExactly(2, 4, 5, 1, 3);
  }

  @Test
  void withoutZonesTheyStayInOrder() {
    assertThat(orderFor("", "", "", "")).containsExactly(1, 2, 3);
  }
}
