package dev.kvorum.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StandstillTest {
  private static final long MAX = Duration.ofSeconds(2).toNanos();
  private static final long SHY = Duration.ofSeconds(1).toNanos();

  // Monotone clocks may begin anywhere.
  private long now = Long.MAX_VALUE - MAX;
  private final Standstill standstill =
      new Standstill(() -> now, Duration.ofNanos(MAX), Duration.ofNanos(SHY));

  @Test
  void nothingIsOldBeforeItTicks() {
    now += 10 * MAX;
    assertThat(standstill.mayBeOld()).isFalse();
    assertThat(standstill.tick()).isZero();
    assertThat(standstill.mayBeOld()).isFalse();
  }

  @Test
  void ticksThatAreLateButNotTooLateAreNoStandstill() {
    for (int i = 0; i < 10; i++) {
      standstill.tick();
      now += MAX;
      assertThat(standstill.mayBeOld()).isFalse();
      assertThat(standstill.tick()).isZero();
    }
  }

  @Test
  void requestsMayBeOldFromTheStandstillOnUntilSocketsHaveBeenRead() {
    standstill.tick();
    now += MAX + 1;
    assertThat(standstill.mayBeOld()).as("before the tick that was missed").isTrue();
    assertThat(standstill.tick()).isEqualTo(MAX + 1);
    assertThat(standstill.mayBeOld()).isTrue();
    now += SHY - 1;
    standstill.tick();
    assertThat(standstill.mayBeOld()).isTrue();
    now += 1;
    standstill.tick();
    assertThat(standstill.mayBeOld()).isFalse();
  }
}
