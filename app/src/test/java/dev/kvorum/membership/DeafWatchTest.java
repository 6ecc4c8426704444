package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.topology.MemberId;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A server that answers who asks once, and on whose watches nothing is ever heard. */
@EnableKubernetesMockClient
class DeafWatchTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String PODS =
      "/api/v1/namespaces/test/pods?labelSelector="
          + "app.kubernetes.io%2Finstance%3Dkvorum%2Capp.kubernetes.io%2Fname%3Dkvorum";

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesMockServer server;

  private static void hasAddress(String address) {
    server
        .expect()
        .get()
        .withPath(PODS)
        .andReturn(
            200,
            new PodListBuilder()
                .addToItems(
                    new PodBuilder()
                        .withNewMetadata()
                        .withName("kvorum-1")
                        .endMetadata()
                        .withNewStatus()
                        .withPodIP(address)
                        .endStatus()
                        .build())
                .build())
        .once();
  }

  @Test
  void aPodsNewAddressIsFoundAllTheSame() {
    hasAddress("10.0.0.1");
    hasAddress("10.0.0.2");
    try (KubernetesTopology source =
        new KubernetesTopology(
            client, "test", "kvorum", 7400, Duration.ofMillis(200), member -> "1.invalid")) {
      source.follow(topology -> {});
      InetSocketAddress second = new InetSocketAddress("10.0.0.2", 7400);
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(source.locate(new MemberId("kvorum-1"))).isCompletedWithValue(second));
    }
  }
}
