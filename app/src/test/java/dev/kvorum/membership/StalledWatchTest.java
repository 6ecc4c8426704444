package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that answers requests, and whose watches never deliver an event. */
@EnableKubernetesMockClient(https = false)
class StalledWatchTest {
  private static final String PODS = "/api/v1/namespaces/test/pods?";
  private static final String LABELS =
      "labelSelector=app.kubernetes.io%2Fname%3Dkvorum%2Capp.kubernetes.io%2Finstance%3Dkvorum";
  private static final MemberId MEMBER = new MemberId("kvorum-1");

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesMockServer server;

  private static PodList pods(String address) {
    return new PodListBuilder()
        .withNewMetadata()
        .withResourceVersion("1")
        .endMetadata()
        .addNewItem()
        .withNewMetadata()
        .withName(MEMBER.name())
        .endMetadata()
        .withNewStatus()
        .withPodIP(address)
        .endStatus()
        .endItem()
        .build();
  }

  @Test
  void aPodsNewAddressIsFoundAllTheSame() {
    server
        .expect()
        .get()
        .withPath(PODS + LABELS + "&resourceVersion=0")
        .andReturn(200, pods("10.0.0.1"))
        .always();
    server
        .expect()
        .get()
        .withPath(
            PODS
                + "allowWatchBookmarks=true&"
                + LABELS
                + "&resourceVersion=1&timeoutSeconds=600&watch=true")
        .andUpgradeToWebSocket()
        .open()
        .done()
        .always();
    try (KubernetesTopology source =
        new KubernetesTopology(
            client,
            new NamespacedName("test", "kvorum"),
            MEMBER,
            7400,
            Duration.ofMillis(200),
            member -> "1.invalid")) {
      source.follow(topology -> {});
      KubernetesTopologyTest.untilLocated(source, MEMBER, "10.0.0.1");
      server.expect().get().withPath(PODS + LABELS).andReturn(200, pods("10.0.0.2")).always();
      KubernetesTopologyTest.untilLocated(source, MEMBER, "10.0.0.2");
    }
  }
}
