package dev.kvorum.verifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  private final Latencies latencies = new Latencies();

  @Test
  void quantilesAreExactToTwoPerCent() {
    for (int millis = 1; millis <= 1_000; millis++) {
      latencies.add(millis * 1_000_000L);
    }
    assertThat(latencies.millisAt(0.5)).isCloseTo(500, within(11.0));
    assertThat(latencies.millisAt(0.99)).isCloseTo(990, within(21.0));
  }

  @Test
  void whatIsLongerThanAnHourIsInTheLastBucket() {
    latencies.add(Long.MAX_VALUE);
    assertThat(latencies.millisAt(1)).isGreaterThan(3_600_000);
  }

  @Test
  void withoutAnyThereIsNone() {
    assertThat(latencies.millisAt(0.99)).isZero();
  }
}
