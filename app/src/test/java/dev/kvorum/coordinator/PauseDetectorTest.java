package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PauseDetectorTest {
  private static final long MAX = Duration.ofSeconds(2).toNanos();
  private static final long SHY = Duration.ofSeconds(1).toNanos();

  // Monotone clocks may begin anywhere.
  private long now = Long.MAX_VALUE - MAX;
  private final PauseDetector pauseDetector =
      new PauseDetector(() -> now, Duration.ofNanos(MAX), Duration.ofNanos(SHY));

  @Test
  void nothingIsOldBeforeItTicks() {
    now += 10 * MAX;
    assertThat(pauseDetector.mayBeOld(now)).isFalse();
    assertThat(pauseDetector.tick()).isZero();
    assertThat(pauseDetector.mayBeOld(now)).isFalse();
  }

  @Test
  void ticksThatAreLateButNotTooLateAreNoPause() {
    for (int i = 0; i < 10; i++) {
      pauseDetector.tick();
      now += MAX;
      assertThat(pauseDetector.mayBeOld(now)).isFalse();
      assertThat(pauseDetector.tick()).isZero();
    }
  }

  @Test
  void requestsMayBeOldFromThePauseOnUntilSocketsHaveBeenRead() {
    pauseDetector.tick();
    now += MAX + 1;
    assertThat(pauseDetector.mayBeOld(now)).as("before the tick that was missed").isTrue();
    assertThat(pauseDetector.tick()).isEqualTo(MAX + 1);
    assertThat(pauseDetector.mayBeOld(now)).isTrue();
    now += SHY - 1;
    pauseDetector.tick();
    assertThat(pauseDetector.mayBeOld(now)).isTrue();
    now += 1;
    pauseDetector.tick();
    assertThat(pauseDetector.mayBeOld(now)).isFalse();
  }
}
