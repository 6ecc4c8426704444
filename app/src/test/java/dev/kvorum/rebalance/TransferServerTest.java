package dev.kvorum.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.placement.Layout;
import dev.kvorum.topology.Phase;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A source sends what others gain only while it holds all that it kept before the change. */
class TransferServerTest {
  private static final Layout TRANSFERRING = RebalanceHarness.growing(2, Phase.TRANSFERRING);

  private final RebalanceHarness harness = new RebalanceHarness();

  @BeforeEach
  void beginAChange() {
    Rebalance source = harness.start(RebalanceHarness.growing(1, Phase.STABLE));
    IntStream.range(0, 16).mapToObj(harness::kept).forEach(harness::write);
    harness.plan(TRANSFERRING);
    source.follow(TRANSFERRING);
  }

  @Test
  void aSourceThatIsNotCompleteSendsNothing() {
    harness.complete = false;
    assertThat(harness.sent(2, 0)).isEmpty();
    harness.complete = true;
    assertThat(harness.sent(2, 0)).isNotEmpty();
  }

  @Test
  void aSourceThatLosesItsStoreDuringAScanDoesNotSendThePage() {
    harness.atScan = () -> harness.complete = false;
    assertThat(harness.sent(2, 0)).isEmpty();
    harness.atScan = () -> harness.complete = true;
    harness.complete = true;
    assertThat(harness.sent(2, 0)).isNotEmpty();
  }
}
