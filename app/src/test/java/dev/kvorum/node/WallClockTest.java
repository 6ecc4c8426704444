package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A clock with a configured skew. */
@ExtendWith(OutputCaptureExtension.class)
class WallClockTest {
  @Test
  void isTheMachinesOwnUnlessItIsSkewed(CapturedOutput output) {
    assertThat(WallClock.skewedBy(Duration.ZERO)).isEqualTo(InstantSource.system());
    assertThat(output).doesNotContain("kvorum.clock.skew");
  }

  @Test
  void isSkewedByTheSettingAndLogsIt(CapturedOutput output) {
    for (long skewMillis : new long[] {-3_600_000, 3_600_000}) {
      InstantSource clock = WallClock.skewedBy(Duration.ofMillis(skewMillis));
      long before = System.currentTimeMillis();
      long skewed = clock.millis();
      assertThat(skewed - skewMillis).isBetween(before, System.currentTimeMillis());
    }
    assertThat(output).contains("WARN", "PT-1H", "PT1H", "kvorum.clock.skew");
  }
}
