package dev.kvorum.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.LocalCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {
  private static String clusterName(Map<String, String> settings) {
    return NodeSettings.of(LocalCluster.properties(settings)).clusterName();
  }

  @Test
  void theClusterIsCalledByItsObjectOnKubernetes() {
    assertThat(
            clusterName(
                Map.of("kvorum.cluster.id", "0b2f7c1e", "kvorum.kubernetes.topology", "orders")))
        .isEqualTo("orders");
  }

  @Test
  void theClusterHasItsOwnNameElsewhere() {
    assertThat(clusterName(Map.of("kvorum.cluster.name", "orders"))).isEqualTo("orders");
  }
}
