package dev.kvorum.operator.loadtest.plan;

import static dev.kvorum.operator.loadtest.LoadTests.result;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KneeTest {
  private static final double BOUND_MICROS = 50_000;

  @Test
  void itIsTheHighestRateThatWasMetInTime() {
    assertThat(
            Knee.of(
                List.of(
                    result(0, 1000, 999, 2000),
                    result(1, 2000, 1980, 50_000),
                    result(2, 4000, 3959, 40_000),
                    result(3, 8000, 7999, 50_001)),
                BOUND_MICROS))
        .contains(2000L);
  }

  @Test
  void whereNoRateWasMetThereIsNone() {
    assertThat(Knee.of(List.of(), BOUND_MICROS)).isEmpty();
    assertThat(Knee.of(List.of(result(0, 1000, 989, 10)), BOUND_MICROS)).isEmpty();
    assertThat(Knee.of(List.of(result(0, 1000, 1000, Double.NaN)), BOUND_MICROS)).isEmpty();
  }
}
