package dev.kvorum.operator.loadtest.plan;

import static dev.kvorum.operator.loadtest.LoadTests.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.LoadResult;
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
  void withoutARateThatWasTooMuchThereIsNone() {
    List<LoadResult> allMet = List.of(result(0, 1000, 999, 2000), result(1, 2000, 1999, 2000));
    assertThat(Knee.of(allMet, BOUND_MICROS)).isEmpty();
    assertThat(Knee.highestMet(allMet, BOUND_MICROS)).hasValue(2000);
    LoadResult first = result(0, 1000, 999, 2000);
    // Of 30 s a tenth is missing: a queue of 3 s at the end.
    LoadResult unsent = result(1, 2000, 1800, 2000, 40_000);
    assertThat(Knee.of(List.of(first, unsent), BOUND_MICROS)).isEmpty();
    LoadResult queued = result(1, 2000, 1800, 2000, 2_900_000);
    assertThat(Knee.of(List.of(first, queued), BOUND_MICROS)).contains(1000L);
  }

  @Test
  void whereNoRateWasMetThereIsNone() {
    assertThat(Knee.of(List.of(), BOUND_MICROS)).isEmpty();
    assertThat(Knee.of(List.of(result(0, 1000, 989, 10)), BOUND_MICROS)).isEmpty();
    assertThat(Knee.of(List.of(result(0, 1000, 1000, Double.NaN)), BOUND_MICROS)).isEmpty();
  }
}
