package dev.kvorum.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterSpec;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RebalanceRateTest {
  @ParameterizedTest
  @CsvSource({
    "kvorum.rebalance.rate-max, 8MB, 8388608",
    "kvorum.rebalance.ratemax, 1gb, 1073741824",
    "Kvorum.Rebalance.Rate-Max, 65536, 65536",
    "kvorum.rebalance.rate-max, 2KB, 2048",
    "kvorum.rebalance.rate-max, 0, 67108864",
    "kvorum.rebalance.rate-max, fast, 67108864",
    "kvorum.repair.rate-max, 8MB, 67108864"
  })
  void readsTheSettingAsNodesDo(String name, String value, long bytes) {
    assertThat(RebalanceRate.bytesPerSecond(spec(Map.of(name, value)))).isEqualTo(bytes);
  }

  @SuppressWarnings("NullAway") // what is left out comes as null
  private static KvorumClusterSpec spec(Map<String, String> settings) {
    return new KvorumClusterSpec(
        null, null, null, null, null, null, null, null, null, settings, null, null, null, null,
        null, null, null, null, null, null, null);
  }
}
