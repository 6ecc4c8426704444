package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodTemplatesTest {
  @Test
  void podsAreSpreadOverZonesAndMachinesAndOnceWhereThatIsTheSame() {
    assertThat(spread(Specs.withZones("rack"))).containsExactly("rack", "kubernetes.io/hostname");
    assertThat(spread(Specs.withZones("kubernetes.io/hostname")))
        .as("the API server rejects equal constraints")
        .containsExactly("kubernetes.io/hostname");
  }

  private static List<String> spread(KvorumClusterSpec spec) {
    return ObjectsTest.set(spec)
        .getSpec()
        .getTemplate()
        .getSpec()
        .getTopologySpreadConstraints()
        .stream()
        .map(TopologySpreadConstraint::getTopologyKey)
        .toList();
  }
}
