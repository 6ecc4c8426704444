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

/** A member drops what it no longer keeps, and nothing else. */
class CleanupTest {
  private static final Layout STABLE = RebalanceHarness.layout(4, Phase.STABLE);
  private static final Layout NEWER = RebalanceHarness.layout(5, Phase.TRANSFERRING);
  private static final int RECORDS = 100;

  private final RebalanceHarness harness = new RebalanceHarness();
  private List<Key> kept;

  @BeforeEach
  void fill() {
    List<Mutation> all = IntStream.range(0, RECORDS).mapToObj(harness::record).toList();
    all.forEach(one -> harness.store.put(one.key(), one.record()));
    kept =
        all.stream()
            .map(Mutation::key)
            .filter(key -> STABLE.keeps(RebalanceHarness.SELF, key, 1))
            .sorted()
            .toList();
    assertThat(kept).hasSizeBetween(1, RECORDS / 2);
  }

  @Test
  void leavesWhatThisMemberKeeps() {
    Rebalance rebalance = harness.start(STABLE);
    assertThat(rebalance.isCleanedUp()).isFalse();
    harness.loop.advance(Duration.ofSeconds(5));
    assertThat(harness.store.keys()).isEqualTo(kept);
    assertThat(rebalance.isCleanedUp()).isTrue();
  }

  @Test
  void dropsNothingOfAPageThatComesWhenTheMembersChangeAgain() {
    harness.store.answerLater();
    Rebalance rebalance = harness.start(STABLE);
    // The mark; the page is asked for and not there yet.
    assertThat(harness.loop.runNext()).isTrue();
    rebalance.follow(NEWER);
    harness.loop.runReady();
    assertThat(harness.store.keys()).hasSize(RECORDS);
  }

  @Test
  void stopsInTheMiddleOfAPageWhenTheMembersChangeAgain() {
    harness.store.answerLater();
    Rebalance rebalance = harness.start(STABLE);
    while (harness.store.keys().size() == RECORDS) {
      assertThat(harness.loop.runNext()).isTrue();
    }
    rebalance.follow(NEWER);
    harness.loop.runReady();
    assertThat(harness.store.keys()).hasSize(RECORDS - 1);
  }
}
