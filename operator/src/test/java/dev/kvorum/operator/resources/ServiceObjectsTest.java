package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServiceObjectsTest {
  @Test
  void portsNameTheirProtocols() {
    assertThat(client(Specs.alone())).containsExactly(Map.entry("http", "http"));
    assertThat(peers(Specs.alone()))
        .containsOnly(
            Map.entry("http", "http"), Map.entry("management", "http"), Map.entry("rpc", "tcp"));
  }

  @Test
  void portsThatNeedTlsAreOfHttps() {
    KvorumClusterSpec strict = Specs.secured(Specs.alone(), "strict");
    assertThat(client(strict)).containsEntry("http", "https");
    assertThat(peers(strict)).containsEntry("http", "https").containsEntry("management", "https");
    assertThat(client(Specs.secured(Specs.alone(), "standard"))).containsEntry("http", "http");
    assertThat(client(Specs.withSetting("kvorum.tls.http", "required")))
        .containsEntry("http", "https");
  }

  private static Map<String, String> client(KvorumClusterSpec spec) {
    return protocols(ServiceObjects.client(cluster(spec)));
  }

  private static Map<String, String> peers(KvorumClusterSpec spec) {
    return protocols(ServiceObjects.peers(cluster(spec)));
  }

  private static Map<String, String> protocols(Service service) {
    return service.getSpec().getPorts().stream()
        .collect(Collectors.toMap(ServicePort::getName, ServicePort::getAppProtocol));
  }

  private static KvorumCluster cluster(KvorumClusterSpec spec) {
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("kvorum").withNamespace("shop").withUid("1").build());
    cluster.setSpec(spec);
    return cluster;
  }
}
