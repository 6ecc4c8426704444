package dev.kvorum.storage.replace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReopenBackoffTest {
  private final ReopenBackoff backoff = new ReopenBackoff(Duration.ofSeconds(5), seconds(0));
  private long now;

  private static long seconds(long seconds) {
    // Readings of the clock may be negative.
    return Duration.ofSeconds(seconds - 1000).toNanos();
  }

  private boolean isDue(boolean stopped) {
    return backoff.isDue(stopped, seconds(now));
  }

  /** Seconds from the stop until the store may be opened. */
  private long waited() {
    long from = now;
    while (!isDue(true)) {
      now++;
    }
    return now - from;
  }

  @Test
  void waitsAFewSecondsAfterOneError() {
    now = 100;
    assertThat(isDue(false)).isFalse();
    assertThat(waited()).isEqualTo(5);
  }

  @Test
  void waitsEverLongerWhileTheStoreCannotBeOpened() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waits.add(waited());
      backoff.tried(seconds(now));
    }
    assertThat(waits).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L);
  }

  @Test
  void waitsEverLongerIfTheStoreFailsSoonAfterEachOpening() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waits.add(waited());
      backoff.tried(seconds(now));
      now += 60;
      assertThat(isDue(false)).isFalse();
      now += 60;
    }
    assertThat(waits).containsExactly(5L, 10L, 20L, 40L);
  }

  @Test
  void forgetsErrorsOnceTheStoreHasWorkedForMinutes() {
    for (int i = 0; i < 3; i++) {
      assertThat(waited()).isEqualTo(5);
      backoff.tried(seconds(now));
      assertThat(isDue(false)).isFalse();
      now += 300;
    }
  }

  @Test
  void waitsTheSameAgainWhileTheDiskFails() {
    for (int i = 0; i < 5; i++) {
      assertThat(waited()).isEqualTo(5);
      backoff.postpone(seconds(now));
    }
  }
}
