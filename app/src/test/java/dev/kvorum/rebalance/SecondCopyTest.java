package dev.kvorum.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.topology.Phase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A second copy has what came since the first one, however old the clock that stamped it. */
class SecondCopyTest {
  private static final Layout STABLE = RebalanceHarness.growing(1, Phase.STABLE);
  private static final Layout TRANSFERRING = RebalanceHarness.growing(2, Phase.TRANSFERRING);
  private static final Layout SETTLING = RebalanceHarness.growing(3, Phase.SETTLING);
  private static final Duration HOUR = Duration.ofHours(1);

  private final RebalanceHarness harness = new RebalanceHarness();

  /** Records that the joining member gains, the first of them with four copies. */
  private List<Mutation> before() {
    List<Mutation> before =
        IntStream.range(0, 16)
            .mapToObj(i -> harness.late(i, HOUR.multipliedBy(2)))
            .filter(it -> TRANSFERRING.gains(RebalanceHarness.JOINER, it.key(), it.record().from()))
            .toList();
    assertThat(before).hasSizeGreaterThan(2);
    return before;
  }

  private Rebalance throughTheFirstCopy(List<Mutation> before) {
    Rebalance source = harness.start(STABLE);
    before.subList(1, before.size()).forEach(harness::write);
    harness.plan(TRANSFERRING);
    source.follow(TRANSFERRING);
    assertThat(harness.sent(2, 0)).hasSize(before.size() - 1);
    return source;
  }

  private void beginSettling(Rebalance source) {
    harness.plan(SETTLING);
    source.follow(SETTLING);
  }

  @Test
  void itSendsWhatAClockThatIsFarBehindStampedMeanwhile() {
    List<Mutation> before = before();
    Rebalance source = throughTheFirstCopy(before);
    int number = (int) (before.getFirst().record().version().stamp() & 0xffff);
    Mutation late = harness.late(number, HOUR);
    assertThat(late.key()).isEqualTo(before.getFirst().key());
    harness.write(late);
    beginSettling(source);
    assertThat(harness.sent(3, 1)).containsExactly(late);
  }

  @Test
  void itSendsNothingWhereNothingCame() {
    Rebalance source = throughTheFirstCopy(before());
    beginSettling(source);
    assertThat(harness.sent(3, 1)).isEmpty();
    assertThat(harness.sent(3, 0)).as("to one that lost what came first").isNotEmpty();
  }

  @Test
  void aProcessThatStartedSinceSendsAllAgain() {
    List<Mutation> before = before();
    throughTheFirstCopy(before);
    Rebalance again = harness.start(TRANSFERRING);
    beginSettling(again);
    assertThat(harness.sent(3, 1)).hasSize(before.size() - 1);
  }

  @Test
  void aStoreThatWasReplacedIsSentAsAWhole() {
    List<Mutation> before = before();
    Rebalance source = throughTheFirstCopy(before);
    source.onStoreReplaced();
    beginSettling(source);
    assertThat(harness.sent(3, 1)).hasSize(before.size() - 1);
  }

  @Test
  void whatComesBeforeTheRebalanceFollowsIsCounted() {
    List<Mutation> before = before();
    Rebalance source = harness.start(STABLE);
    harness.plan(TRANSFERRING);
    harness.write(before.getFirst());
    source.follow(TRANSFERRING);
    beginSettling(source);
    assertThat(harness.sent(3, 1)).containsExactly(before.getFirst());
  }
}
