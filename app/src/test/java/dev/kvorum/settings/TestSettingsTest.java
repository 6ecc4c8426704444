package dev.kvorum.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.engine.StorageSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TestSettingsTest {
  @Test
  void changesTheNamedSettingsAlone() {
    StorageSettings usual = TestSettings.of(StorageSettings.class, "memory=10MB");
    StorageSettings changed = TestSettings.with(usual, "sync-interval=" + Duration.ofMillis(20));

    assertThat(changed.syncInterval()).isEqualTo(Duration.ofMillis(20));
    assertThat(changed).isNotEqualTo(usual);
    assertThat(TestSettings.with(changed, "sync-interval=100ms")).isEqualTo(usual);
  }

  @Test
  void rejectsANameThatIsNoSetting() {
    assertThatThrownBy(() -> TestSettings.of(RepairSettings.class, "intervall=4s"))
        .hasStackTraceContaining("intervall");
  }

  @Test
  void rejectsAValueOutOfBounds() {
    assertThatThrownBy(() -> TestSettings.of(RepairSettings.class, "window=0"))
        .hasStackTraceContaining("kvorum.repair.window is 0; it must be 1 to 4096");
  }
}
