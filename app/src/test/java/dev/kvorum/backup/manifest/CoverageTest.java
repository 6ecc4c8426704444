package dev.kvorum.backup.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static List<Integer> covered(int members, Integer... present) {
    List<Member> all =
        IntStream.range(0, members)
            .mapToObj(i -> new Member(new MemberId("kvorum-" + i), "", MemberState.ACTIVE))
            .toList();
    return Coverage.covered(
        all, Stream.of(present).map(i -> new MemberId("kvorum-" + i)).collect(Collectors.toSet()));
  }

  @Test
  void aMajorityOfTheReplicasOfEachSlotCovers() {
    assertThat(covered(3, 0, 1, 2)).containsExactly(1, 2, 3);
    assertThat(covered(3, 0, 2)).as("a write to two has both").containsExactly(3);
    assertThat(covered(3, 1)).isEmpty();
    assertThat(covered(1, 0)).containsExactly(1);
    assertThat(covered(5, 0, 1, 2, 4)).containsExactly(3, 4, 5);
    assertThat(covered(5, 0, 2, 4)).as("some slots have two of three elsewhere").containsExactly(5);
    assertThat(covered(5, 0, 1)).isEmpty();
  }
}
