package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What it costs to find and repair a small difference between large replicas. */
class RepairTrafficTest {
  private static final Logger log = LoggerFactory.getLogger(RepairTrafficTest.class);
  private static final int RECORDS = Integer.getInteger("kvorum.records", 100_000);
  private static final int MISSING_PER_MILLE = 10;
  private static final int VALUE_BYTES = 100;

  @Test
  void repairingOnePerCentTakesLessThanThreeTimesItsBytes() {
    RepairHarness harness = new RepairHarness(2);
    harness.settings = RepairHarness.bulk();
    harness.start();
    long differing = 0;
    for (int i = 0; i < RECORDS; i++) {
      Key key = Key.of(String.format("user:%012d", i));
      Versioned record = harness.live(Duration.ofMinutes(2), 2);
      boolean missing = harness.random.nextInt(1000) < MISSING_PER_MILLE;
      harness.putExcept(key, record, missing ? Set.of(harness.members.get(0)) : Set.of());
      differing += missing ? key.bytes().length + VALUE_BYTES : 0;
    }
    long before = harness.network.bytes();
    harness.pass(Duration.ofSeconds(50));
    harness.assertEqual();
    // Both directions, of which one finds nothing to fetch, and all requests.
    long carried = harness.network.bytes() - before;
    double times = (double) carried / differing;
    log.info("{} of {} bytes: {} times the difference", carried, differing, times);
    assertThat(harness.site(0).counted("kvorum.repair.records")).isPositive();
    assertThat(harness.site(1).counted("kvorum.repair.records")).isZero();
    assertThat(times).as("seed %d", harness.seed).isLessThan(3);
  }
}
