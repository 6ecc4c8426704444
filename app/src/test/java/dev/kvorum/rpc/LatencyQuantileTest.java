package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class LatencyQuantileTest {
  private static final long MIN = 1_000;
  private static final long MAX = 100_000_000;

  @Test
  void beginsCarefulAndComesDown() {
    LatencyQuantile quantile = new LatencyQuantile(0.95, MIN, MAX);
    assertThat(quantile.nanos()).isEqualTo(MAX);
    feed(quantile, 3000, () -> 2_000_000);
    assertThat(quantile.nanos()).isBetween(1_800_000L, 2_200_000L);
  }

  @Test
  void convergesToTheQuantileOfWhatItSees() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    LatencyQuantile quantile = new LatencyQuantile(0.95, MIN, MAX);
    LongSupplier exponential = () -> (long) (-Math.log(1 - random.nextDouble()) * 1_000_000);
    feed(quantile, 20_000, exponential);
    double[] estimates = new double[20_000];
    for (int i = 0; i < estimates.length; i++) {
      quantile.add(exponential.getAsLong());
      estimates[i] = quantile.nanos();
    }
    // The 95th percentile of an exponential distribution is ln 20 times its mean.
    assertThat(Arrays.stream(estimates).average().orElseThrow())
        .as("seed %d", seed)
        .isBetween(2_400_000.0, 3_600_000.0);
  }

  @Test
  void followsAPeerThatBecomesSlow() {
    LatencyQuantile quantile = new LatencyQuantile(0.95, MIN, MAX);
    feed(quantile, 5000, () -> 1_000_000);
    feed(quantile, 100, () -> 50_000_000);
    assertThat(quantile.nanos()).isGreaterThan(45_000_000);
  }

  @Test
  void staysWithinItsBounds() {
    LatencyQuantile quantile = new LatencyQuantile(0.95, MIN, MAX);
    feed(quantile, 10_000, () -> 0);
    assertThat(quantile.nanos()).isEqualTo(MIN);
    feed(quantile, 10_000, () -> Long.MAX_VALUE);
    assertThat(quantile.nanos()).isEqualTo(MAX);
  }

  private static void feed(LatencyQuantile quantile, int count, LongSupplier sample) {
    for (int i = 0; i < count; i++) {
      quantile.add(sample.getAsLong());
    }
  }
}
