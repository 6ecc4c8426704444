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
  private static final Layout STABLE = RebalanceBench.growing(1, Phase.STABLE);
  private static final Layout TRANSFERRING = RebalanceBench.growing(2, Phase.TRANSFERRING);
  private static final Layout SETTLING = RebalanceBench.growing(3, Phase.SETTLING);
  private static final Duration HOUR = Duration.ofHours(1);

  private final RebalanceBench bench = new RebalanceBench();

  /** Records that the joining member gains, the first of them with four copies. */
  private List<Mutation> before() {
    List<Mutation> before =
        IntStream.range(0, 16)
            .mapToObj(i -> bench.late(i, HOUR.multipliedBy(2)))
            .filter(it -> TRANSFERRING.gains(RebalanceBench.JOINER, it.key(), it.record().from()))
            .toList();
    assertThat(before).hasSizeGreaterThan(2);
    return before;
  }

  private Rebalance throughTheFirstCopy(List<Mutation> before) {
    Rebalance source = bench.start(STABLE);
    before.subList(1, before.size()).forEach(bench::write);
    bench.plan(TRANSFERRING);
    source.follow(TRANSFERRING);
    assertThat(bench.sent(2, 0)).hasSize(before.size() - 1);
    return source;
  }

  private void settle(Rebalance source) {
    bench.plan(SETTLING);
    source.follow(SETTLING);
  }

  @Test
  void itSendsWhatAClockThatIsFarBehindStampedMeanwhile() {
    List<Mutation> before = before();
    Rebalance source = throughTheFirstCopy(before);
    int number = (int) (before.getFirst().record().version().stamp() & 0xffff);
    Mutation late = bench.late(number, HOUR);
    assertThat(late.key()).isEqualTo(before.getFirst().key());
    bench.write(late);
    settle(source);
    assertThat(bench.sent(3, 1)).containsExactly(late);
  }

  @Test
  void itSendsNothingWhereNothingCame() {
    Rebalance source = throughTheFirstCopy(before());
    settle(source);
    assertThat(bench.sent(3, 1)).isEmpty();
    assertThat(bench.sent(3, 0)).as("to one that lost what came first").isNotEmpty();
  }

  @Test
  void aProcessThatStartedSinceSendsAllAgain() {
    List<Mutation> before = before();
    throughTheFirstCopy(before);
    Rebalance again = bench.start(TRANSFERRING);
    settle(again);
    assertThat(bench.sent(3, 1)).hasSize(before.size() - 1);
  }

  @Test
  void aStoreThatWasReplacedIsSentAsAWhole() {
    List<Mutation> before = before();
    Rebalance source = throughTheFirstCopy(before);
    source.onStoreReplaced();
    settle(source);
    assertThat(bench.sent(3, 1)).hasSize(before.size() - 1);
  }

  @Test
  void whatComesBeforeTheRebalanceFollowsIsCounted() {
    List<Mutation> before = before();
    Rebalance source = bench.start(STABLE);
    bench.plan(TRANSFERRING);
    bench.write(before.getFirst());
    source.follow(TRANSFERRING);
    settle(source);
    assertThat(bench.sent(3, 1)).containsExactly(before.getFirst());
  }
}
