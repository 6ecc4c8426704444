package dev.kvorum.background;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveRateLimiterTest {
  private static final long MILLI = 1_000_000;

  private final AdaptiveRateLimiter throttle = new AdaptiveRateLimiter(1_600_000, 20 * MILLI);

  @Test
  void keepsToItsRateHoweverTheBytesAreCut() {
    long now = Long.MAX_VALUE - 1000;
    long waited = 0;
    for (int i = 0; i < 100; i++) {
      long wait = throttle.spend(16_000, now);
      now += wait;
      waited += wait;
    }
    assertThat(waited).isEqualTo(1000 * MILLI);
  }

  @Test
  void doesNotSaveUpWhatWasNotSpent() {
    assertThat(throttle.spend(1_600_000, 0)).isEqualTo(1000 * MILLI);
    assertThat(throttle.spend(16_000, 60_000 * MILLI)).isEqualTo(10 * MILLI);
  }

  @Test
  void queuesWhatCloselyFollows() {
    assertThat(throttle.spend(16_000, 0)).isEqualTo(10 * MILLI);
    assertThat(throttle.spend(16_000, 0)).isEqualTo(20 * MILLI);
  }

  @Test
  void halvesWhileReadsAreSlowAndDoublesBackWhenTheyAreNot() {
    for (int share = 2; share <= 16; share *= 2) {
      throttle.adapt(21 * MILLI);
      assertThat(throttle.bytesPerSecond()).isEqualTo(1_600_000 / share);
    }
    throttle.adapt(1000 * MILLI);
    assertThat(throttle.bytesPerSecond()).isEqualTo(100_000);
    throttle.adapt(20 * MILLI);
    assertThat(throttle.bytesPerSecond()).isEqualTo(200_000);
    for (int i = 0; i < 10; i++) {
      throttle.adapt(0);
    }
    assertThat(throttle.bytesPerSecond()).isEqualTo(1_600_000);
  }
}
