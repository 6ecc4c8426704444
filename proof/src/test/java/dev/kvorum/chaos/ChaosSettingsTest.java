package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosSettingsTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theCommandThatReplaysARunNamesEverySetting(boolean emptyDisk) {
    assertThat(new ChaosSettings(Duration.ofMinutes(5), 5, 42, 100, 30, emptyDisk).command())
        .isEqualTo(
            "make chaos DURATION=300s NODES=5 SEED=42 RATE=100 KEYS=30 EMPTY_DISK=" + emptyDisk);
  }
}
