package dev.kvorum.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.topology.Phase;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A member lets go of what it keeps no longer, and of nothing else. */
class ClearingTest {
  private static final Layout STABLE = RebalanceBench.layout(4, Phase.STABLE);
  private static final Layout NEWER = RebalanceBench.layout(5, Phase.TRANSFERRING);
  private static final int RECORDS = 100;

  private final RebalanceBench bench = new RebalanceBench();
  private List<Key> kept;

  @BeforeEach
  void fill() {
    List<Mutation> all = IntStream.range(0, RECORDS).mapToObj(bench::record).toList();
    all.forEach(one -> bench.store.put(one.key(), one.record()));
    kept =
        all.stream()
            .map(Mutation::key)
            .filter(key -> STABLE.keeps(RebalanceBench.SELF, key, 1))
            .sorted()
            .toList();
    assertThat(kept).hasSizeBetween(1, RECORDS / 2);
  }

  @Test
  void leavesWhatThisMemberKeeps() {
    Rebalance rebalance = bench.start(STABLE);
    assertThat(rebalance.isCleared()).isFalse();
    bench.loop.advance(Duration.ofSeconds(5));
    assertThat(bench.store.keys()).isEqualTo(kept);
    assertThat(rebalance.isCleared()).isTrue();
  }

  @Test
  void dropsNothingOfAPageThatComesWhenTheMembersChangeAgain() {
    bench.store.answerLater();
    Rebalance rebalance = bench.start(STABLE);
    // The mark; the page is asked for and not there yet.
    assertThat(bench.loop.runNext()).isTrue();
    rebalance.follow(NEWER);
    bench.loop.runReady();
    assertThat(bench.store.keys()).hasSize(RECORDS);
  }

  @Test
  void stopsInTheMiddleOfAPageWhenTheMembersChangeAgain() {
    bench.store.answerLater();
    Rebalance rebalance = bench.start(STABLE);
    while (bench.store.keys().size() == RECORDS) {
      assertThat(bench.loop.runNext()).isTrue();
    }
    rebalance.follow(NEWER);
    bench.loop.runReady();
    assertThat(bench.store.keys()).hasSize(RECORDS - 1);
  }
}
