package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvorum.config.NodeSettings;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.metrics.Meters;
import dev.kvorum.tracing.Tracer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose topology orders that the cluster is restored from a backup. */
@EnableKubernetesMockClient(crud = true, https = false)
class OrderedRestoreTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String ID = "20261128T181239Z-0a1b2c3d";
  private static final String MASTER = "kubernetes.master";

  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesMockServer server;

  @TempDir private Path directory;

  @BeforeEach
  void connect() {
    System.setProperty(MASTER, server.url("/"));
  }

  @AfterEach
  void disconnect() {
    System.clearProperty(MASTER);
  }

  private void annotate(Map<String, String> annotations) {
    annotate("c", annotations);
  }

  private void annotate(String clusterId, Map<String, String> annotations) {
    GenericKubernetesResource topology =
        new GenericKubernetesResourceBuilder()
            .withApiVersion("kvorum.dev/v1alpha1")
            .withKind("KvorumTopology")
            .withNewMetadata()
            .withName("kvorum")
            .withNamespace("test")
            .withAnnotations(annotations)
            .endMetadata()
            .addToAdditionalProperties(
                "spec",
                Map.of(
                    "clusterId",
                    clusterId,
                    "epoch",
                    1,
                    "phase",
                    "Stable",
                    "members",
                    List.of(Map.of("name", "alone", "zone", "a", "state", "Active"))))
            .build();
    client
        .genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup("kvorum.dev")
                .withVersion("v1alpha1")
                .withKind("KvorumTopology")
                .withPlural("kvorumtopologies")
                .withNamespaced(true)
                .build())
        .inNamespace("test")
        .resource(topology)
        .createOr(existing -> existing.update());
  }

  private Node start(String disk) {
    Node node = node(disk, LocalCluster.freePorts(1).getFirst());
    node.start();
    return node;
  }

  private Node node(String disk, int port) {
    Map<String, String> settings =
        Map.of(
            "kvorum.node.name",
            "alone",
            "kvorum.node.event-loops",
            "1",
            "kvorum.cluster.id",
            "c",
            "kvorum.kubernetes.topology",
            "kvorum",
            "kvorum.kubernetes.namespace",
            "test",
            "kvorum.kubernetes.resync",
            "500ms",
            "kvorum.data-dir",
            directory.resolve(disk).toString(),
            "kvorum.storage.memory",
            "16MB",
            "kvorum.storage.disk-free-min",
            "1MB",
            "kvorum.rpc.port",
            Integer.toString(port));
    NodeSettings all = NodeSettings.of(LocalCluster.properties(settings));
    return new Node(
        all,
        all.peerTls(),
        InstantSource.system(),
        new Meters(new SimpleMeterRegistry()),
        Tracer.NONE);
  }

  private static boolean isRestoring(Node node) {
    return node.core().background().isRestoring();
  }

  @Test
  void theAnnotationPreparesANodeAtItsStartUntilItIsRemoved() {
    annotate(Map.of("kvorum.dev/restore", ID));
    try (Node node = start("disk")) {
      assertThat(isRestoring(node)).isTrue();
    }
    System.setProperty(MASTER, "http://localhost:1");
    try (Node node = start("disk")) {
      assertThat(isRestoring(node)).as("without the API server").isTrue();
    }
    System.setProperty(MASTER, server.url("/"));
    try (Node node = start("disk")) {
      annotate(Map.of());
      await().atMost(TIMEOUT).until(() -> !isRestoring(node));
      assertThat(node.ready()).succeedsWithin(TIMEOUT);
      await()
          .atMost(TIMEOUT)
          .until(() -> !directory.resolve("disk/restore-order").toFile().exists());
    }
    try (Node node = start("disk")) {
      assertThat(isRestoring(node)).isFalse();
    }
  }

  @Test
  void aNodeIsPreparedBeforeItListens() throws IOException {
    annotate(Map.of("kvorum.dev/restore", ID));
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThatThrownBy(() -> node("disk", taken.getLocalPort()).start())
          .isInstanceOf(NodeStartException.class)
          .hasMessageContaining("in use");
      try (Node node = node("disk", taken.getLocalPort())) {
        assertThat(isRestoring(node)).isTrue();
      }
    }
  }

  @Test
  void theTopologyOfAnotherClusterDoesNotEndIt() {
    annotate(Map.of("kvorum.dev/restore", ID));
    try (Node node = start("disk")) {
      annotate("other", Map.of());
      int asked = server.getRequestCount();
      await().atMost(TIMEOUT).until(() -> server.getRequestCount() > asked + 8);
      assertThat(isRestoring(node)).isTrue();
      annotate(Map.of());
      await().atMost(TIMEOUT).until(() -> !isRestoring(node));
    }
  }

  @Test
  void aStoreThatIsLostIsPreparedAgainWithoutTheApiServer() {
    annotate(Map.of("kvorum.dev/restore", ID));
    start("disk").close();
    assertThat(directory.resolve("disk/store").toFile().renameTo(directory.resolve("old").toFile()))
        .isTrue();
    System.setProperty(MASTER, "http://localhost:1");
    try (Node node = start("disk")) {
      assertThat(isRestoring(node)).isTrue();
    }
  }

  @Test
  void anAnnotationThatIsNoIdFailsTheStart() {
    annotate(Map.of("kvorum.dev/restore", "latest"));
    assertThatThrownBy(() -> start("disk"))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("kvorum.dev/restore")
        .hasMessageContaining("'latest', which is no id of a backup");
    annotate(Map.of());
    try (Node node = start("disk")) {
      assertThat(isRestoring(node)).as("once it is corrected").isFalse();
    }
  }
}
