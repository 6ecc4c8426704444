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
    assertThat(bare.loadTestImage()).isEqualTo("cylab/wrk2");
    assertThat(bare.assignedIds()).isFalse();
    assertThat(bare.httpPort()).isEqualTo(8080);
  }

  @Test
  void operatorsMayBeElectedUnderNamesOfTheirOwn() {
    OperatorSettings said =
        OperatorSettings.of(
            Map.of(
                "WATCH_NAMESPACES", "a, b",
                "POD_NAMESPACE", "system",
                "LEASE_NAME", "team-a-operator",
                "KVORUM_LOADTEST_IMAGE", "registry.example/wrk2:1",
                "KVORUM_ASSIGNED_IDS", "true"));
    assertThat(said.assignedIds()).isTrue();
    assertThat(said.loadTestImage()).isEqualTo("registry.example/wrk2:1");
    assertThat(said.namespaces()).containsExactlyInAnyOrder("a", "b");
    assertThat(said.leaseNamespace()).contains("system");
    assertThat(said.leaseName()).isEqualTo("team-a-operator");
  }
}
