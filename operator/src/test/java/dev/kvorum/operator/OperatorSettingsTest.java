package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorSettingsTest {
  @Test
  void aSettingThatIsNotSetHasItsDefault() {
    OperatorSettings bare = OperatorSettings.of(Map.of());
    assertThat(bare.namespaces()).isEmpty();
    assertThat(bare.leaseNamespace()).isEmpty();
    assertThat(bare.leaseName()).isEqualTo("kvorum-operator");
    assertThat(bare.httpPort()).isEqualTo(8080);
  }

  @Test
  void operatorsMayBeElectedUnderNamesOfTheirOwn() {
    OperatorSettings said =
        OperatorSettings.of(
            Map.of(
                "WATCH_NAMESPACES", "a, b",
                "POD_NAMESPACE", "system",
                "LEASE_NAME", "team-a-operator"));
    assertThat(said.namespaces()).containsExactlyInAnyOrder("a", "b");
    assertThat(said.leaseNamespace()).contains("system");
    assertThat(said.leaseName()).isEqualTo("team-a-operator");
  }
}
