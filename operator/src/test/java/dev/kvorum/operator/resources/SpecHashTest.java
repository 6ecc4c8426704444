package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class SpecHashTest {
  private static String hash(String spec) {
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(new ObjectMetaBuilder().withName("kvorum").withNamespace("test").build());
    cluster.setSpec(Serialization.unmarshal(spec, KvorumClusterSpec.class));
    return SpecHash.of(cluster, PeerTls.NONE, false);
  }

  @Test
  void anotherTimeRestartsPods() {
    String first = hash("restartedAt: '2026-01-01T00:00:00Z'");
    assertThat(hash("restartedAt: '2026-01-01T00:00:01Z'")).isNotEqualTo(first);
    assertThat(hash("replicas: 3")).isNotEqualTo(first);
  }
}
