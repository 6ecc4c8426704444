package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class KubernetesTopologyTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String NAMESPACE = "test";
  private static final MemberId MEMBER = new MemberId("kvorum-0");

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesMockServer server;

  private final List<Topology> received = new CopyOnWriteArrayList<>();

  private static GenericKubernetesResource topology(long epoch, String phase, String state) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("kvorum.dev/v1alpha1")
        .withKind("KvorumTopology")
        .withNewMetadata()
        .withName("kvorum")
        .withNamespace(NAMESPACE)
        .endMetadata()
        .addToAdditionalProperties(
            "spec",
            Map.of(
                "clusterId",
                "c",
                "epoch",
                epoch,
                "phase",
                phase,
                "members",
                List.of(
                    Map.of("name", "kvorum-0", "zone", "a", "state", "Active"),
                    Map.of("name", "kvorum-1", "state", state))))
        .build();
  }

  private static NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      topologies() {
    ResourceDefinitionContext kind =
        new ResourceDefinitionContext.Builder()
            .withGroup("kvorum.dev")
            .withVersion("v1alpha1")
            .withKind("KvorumTopology")
            .withPlural("kvorumtopologies")
            .withNamespaced(true)
            .build();
    return client.genericKubernetesResources(kind).inNamespace(NAMESPACE);
  }

  private static void put(GenericKubernetesResource resource) {
    topologies().resource(resource).createOr(existing -> existing.update());
  }

  private static void pod(String address) {
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName("kvorum-0")
                .withNamespace(NAMESPACE)
                .addToLabels("app.kubernetes.io/name", "kvorum")
                .addToLabels("app.kubernetes.io/instance", "kvorum")
                .endMetadata()
                .withNewStatus()
                .withPodIP(address)
                .endStatus()
                .build())
        .inNamespace(NAMESPACE)
        .createOr(existing -> existing.update());
  }

  private static KubernetesTopology source(
      KubernetesClient client, Function<MemberId, String> host) {
    return new KubernetesTopology(
        client,
        new NamespacedName(NAMESPACE, "kvorum"),
        MEMBER,
        7400,
        Duration.ofMillis(500),
        host);
  }

  @Test
  void followsTheTopologyAndThePodsAddresses() {
    put(topology(1, "Stable", "Active"));
    pod("10.0.0.1");
    KubernetesTopology source = source(server.createClient(), member -> member + ".invalid");
    source.follow(received::add);
    await().atMost(TIMEOUT).until(() -> !received.isEmpty());
    Topology first = received.getFirst();
    assertThat(first.epoch()).isEqualTo(1);
    assertThat(first.phase()).isEqualTo(Phase.STABLE);
    assertThat(first.member(MEMBER).orElseThrow().zone()).isEqualTo("a");

    put(topology(2, "Transferring", "Leaving"));
    await().atMost(TIMEOUT).until(() -> received.getLast().epoch() == 2);
    assertThat(received.getLast().after()).hasSize(1);

    untilLocated(source, MEMBER, "10.0.0.1");
    assertThat(source.locate(new MemberId("kvorum-9")))
        .failsWithin(TIMEOUT)
        .withThrowableThat()
        .withMessageContaining("kvorum-9.invalid");

    List<Topology> later = new CopyOnWriteArrayList<>();
    source.follow(later::add);
    assertThat(later).as("the newest, at once").hasSize(1);

    // Neither what is broken nor what is gone changes anything.
    put(topology(3, "Stable", "Leaving"));
    topologies().withName("kvorum").delete();
    put(topology(4, "Stable", "Active"));
    await().atMost(TIMEOUT).until(() -> later.getLast().epoch() == 4);
    assertThat(later).noneMatch(topology -> topology.epoch() == 3);
    source.close();
  }

  @Test
  void anAnnotationRecordsThatTheClusterWasFounded() {
    put(topology(1, "Stable", "Active"));
    try (KubernetesTopology source = source(server.createClient(), member -> member + ".invalid")) {
      source.follow(received::add);
      await().atMost(TIMEOUT).until(() -> !received.isEmpty());
      assertThat(source.isFounded()).isFalse();
      GenericKubernetesResource marked = topology(1, "Stable", "Active");
      marked.getMetadata().setAnnotations(Map.of("kvorum.dev/founded", "true"));
      put(marked);
      await().atMost(TIMEOUT).until(source::isFounded);
    }
  }

  @Test
  void anAnnotationNamesTheBackupUntilTheClusterIsRestored() {
    GenericKubernetesResource restored = topology(1, "Stable", "Active");
    restored.getMetadata().setAnnotations(Map.of("kvorum.dev/restore", "an-id"));
    put(restored);
    try (KubernetesTopology source = source(server.createClient(), member -> member + ".invalid")) {
      List<Optional<String>> known = new CopyOnWriteArrayList<>();
      source.follow(topology -> known.add(source.restore()));
      await().atMost(TIMEOUT).until(() -> !known.isEmpty());
      assertThat(known.getFirst()).as("with the first topology").contains("an-id");
      restored.getMetadata().setAnnotations(Map.of("kvorum.dev/founded", "true"));
      put(restored);
      await().atMost(TIMEOUT).until(() -> known.getLast().isEmpty());
      assertThat(source.isFounded()).isTrue();
    }
  }

  @Test
  void anAddressStaysUntilThereIsAnother() {
    pod("10.0.0.1");
    try (KubernetesTopology source = source(server.createClient(), member -> "kvorum-0.invalid")) {
      source.follow(received::add);
      untilLocated(source, MEMBER, "10.0.0.1");
      client.pods().inNamespace(NAMESPACE).delete();
      pod("");
      long asked = server.getRequestCount();
      await().atMost(TIMEOUT).until(() -> server.getRequestCount() > asked + 4);
      untilLocated(source, MEMBER, "10.0.0.1");
      pod("10.0.0.2");
      untilLocated(source, MEMBER, "10.0.0.2");
    }
  }

  @Test
  void withoutTheServerTheNetworksNamesAreAsked() {
    Config nobody = new ConfigBuilder().withMasterUrl("http://localhost:1").build();
    KubernetesClient away = new KubernetesClientBuilder().withConfig(nobody).build();
    try (KubernetesTopology source = source(away, member -> "127.0.0.9")) {
      source.follow(received::add);
      untilLocated(source, MEMBER, "127.0.0.9");
    }
  }

  /** Waits until a member is found at an address. */
  static void untilLocated(KubernetesTopology source, MemberId member, String address) {
    InetSocketAddress wanted = new InetSocketAddress(address, 7400);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(source.locate(member)).isCompletedWithValue(wanted));
  }
}
