package dev.kvorum.backup.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.cli.ClientAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members that stop during a backup. */
class MemberOrderTest {
  private static final List<String> BOTH = List.of("a", "b");

  private static MemberOrder order(FakeNode node) throws IOException, InterruptedException {
    NodeState state = NodeState.of(NodeClient.of(node.address(), new ClientAccess()));
    return new MemberOrder(state, "20260101T000000Z-00000000", Map.of(), Duration.ZERO);
  }

  @Test
  void aSilentMemberIsWaitedForUnlessTheOthersHaveGoneOnWithoutIt()
      throws IOException, InterruptedException {
    try (FakeNode one = new FakeNode("a", BOTH)) {
      MemberOrder silent;
      MemberOrder other = order(one);
      try (FakeNode two = new FakeNode("b", BOTH)) {
        silent = order(two);
        one.members(List.of("a"));
        silent.giveUpIfLeft(List.of(silent, other));
        assertThat(silent.failure()).as("it responds").isNull();
        one.members(BOTH);
      }
      silent.advance();
      silent.giveUpIfLeft(List.of(silent, other));
      assertThat(silent.failure()).as("it is a member").isNull();
      one.members(List.of("a"));
      silent.giveUpIfLeft(List.of(silent, other));
      assertThat(silent.failure()).isEqualTo("b: it is no member any more");
      assertThat(silent.isOver()).isTrue();
    }
  }
}
