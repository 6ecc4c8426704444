package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The complete operator on a real API server, which validates objects against their definitions as
 * no mock does. Skipped where {@code $KUBEBUILDER_ASSETS} names no {@code etcd} and {@code
 * kube-apiserver}.
 */
@SuppressWarnings("NullAway.Init") // set up before each test
class ApiServerTest {
  private static final long MILLIS_MAX = 60_000;

  @TempDir Path directory;
  private ApiServer server;
  private KubernetesClient client;
  private FakeKubernetes kubernetes;
  private final AtomicInteger lost = new AtomicInteger();

  @BeforeEach
  void start() throws IOException, GeneralSecurityException, InterruptedException {
    Optional<Path> binaries = ApiServer.binaries();
    Assumptions.assumeTrue(
        binaries.isPresent(), "KUBEBUILDER_ASSETS names no kube-apiserver and etcd");
    server = new ApiServer(binaries.get(), directory);
    client = server.client();
    server.prepare("kvorumclusters", "kvorumtopologies", "kvorumloadtests", "kvorumtasks");
    kubernetes = new FakeKubernetes(client);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private KvorumCluster await(Predicate<KvorumCluster> what) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS_MAX);
    while (true) {
      kubernetes.tick();
      allowEvictions();
      KvorumCluster cluster = kubernetes.cluster();
      if (cluster.getStatus() != null && what.test(cluster)) {
        return cluster;
      }
      assertThat(System.nanoTime()).as("in time: %s", cluster.getStatus()).isLessThan(until);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** What the disruption controller does, without which an API server rejects all evictions. */
  private void allowEvictions() {
    for (PodDisruptionBudget budget :
        client
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace(FakeKubernetes.NAMESPACE)
            .list()
            .getItems()) {
      PodDisruptionBudgetStatus status = budget.getStatus();
      if (status == null
          || !budget.getMetadata().getGeneration().equals(status.getObservedGeneration())
          || status.getDisruptionsAllowed() < 1) {
        budget.setStatus(
            new PodDisruptionBudgetStatusBuilder()
                .withObservedGeneration(budget.getMetadata().getGeneration())
                .withCurrentHealthy(3)
                .withDesiredHealthy(2)
                .withExpectedPods(3)
                .withDisruptionsAllowed(1)
                .build());
        client.resource(budget).updateStatus();
      }
    }
  }

  private static boolean ready(KvorumCluster cluster, int members) {
    return cluster.getStatus().members() == members
        // A pod that has not gone yet changes the status once more when it goes.
        && cluster.getStatus().replicas() == members
        && cluster.getMetadata().getGeneration().equals(cluster.getStatus().observedGeneration())
        && StatusReport.condition(cluster.getStatus(), "Ready")
            .filter(it -> it.getStatus().equals("True"))
            .isPresent();
  }

  private KvorumOperator operator() throws IOException {
    KvorumOperator operator =
        new KvorumOperator(
            server.newClient(),
            kubernetes,
            new OperatorSettings(
                Set.of("test"),
                Optional.of("test"),
                "lease",
                Optional.of("one"),
                "kvorum:1",
                "wrk2:1",
                false,
                0),
            lost::incrementAndGet);
    operator.start();
    return operator;
  }

  @Test
  void aClusterLivesAndAtRestNothingIsWritten() throws IOException, InterruptedException {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    try (KvorumOperator operator = operator()) {
      await(cluster -> ready(cluster, 3));
      client.resources(KvorumCluster.class).inNamespace("test").withName("kvorum").scale(5);
      await(cluster -> ready(cluster, 5));
      kubernetes.edit(Specs.of(5, "kvorum:2", "10Gi"));
      await(cluster -> ready(cluster, 5));
      assertThat(kubernetes.pods())
          .allMatch(pod -> pod.getSpec().getContainers().getFirst().getImage().equals("kvorum:2"));
      client.resources(KvorumCluster.class).inNamespace("test").withName("kvorum").scale(3);
      await(cluster -> ready(cluster, 3));
      new FakeTasks(client).remove("kvorum-1");
      KvorumCluster last =
          await(cluster -> new FakeTasks(client).status("kvorum-1").phase() == TaskPhase.FAILED);
      assertThat(last.getStatus().epoch()).isEqualTo(13);
      restsWithoutWriting(operator);
      assertThat(get(operator, "/healthz")).isEqualTo("ok\n");
      assertThat(get(operator, "/metrics"))
          .contains(
              "kvorum_operator_steps_total{step=\"NextEpoch\"} 12.0",
              "kvorum_operator_cluster_ready");
    }
    assertThat(lost).as("closing is no loss of the lead").hasValue(0);
  }

  /** Several reconciliations at rest leave the versions of all objects unchanged. */
  private void restsWithoutWriting(KvorumOperator operator) throws InterruptedException {
    double reconciliations = reconciliations(operator);
    String versions = versions();
    client
        .pods()
        .inNamespace("test")
        .withName("kvorum-0")
        .edit(pod ->
            new io.fabric8.kubernetes.api.model.PodBuilder(pod)
                .editMetadata()
                .addToLabels("touched", "yes")
                .endMetadata()
                .build());
    await(cluster -> reconciliations(operator) > reconciliations);
    assertThat(versions()).isEqualTo(versions);
  }

  private static double reconciliations(KvorumOperator operator) {
    return operator
        .metrics()
        .lines()
        .filter(line -> line.startsWith("kvorum_operator_reconciliations_seconds_count"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  private String versions() {
    return kubernetes.cluster().getMetadata().getResourceVersion()
        + " "
        + kubernetes.set().getMetadata().getResourceVersion()
        + " "
        + kubernetes.topology()
        + client.services().inNamespace("test").list().getItems().stream()
            .map(it -> it.getMetadata().getResourceVersion())
            .toList()
        + client.v1().events().inNamespace("test").list().getItems().size();
  }

  private static String get(KvorumOperator operator, String path)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + operator.httpPort() + path))
                  .build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void aSizeThatTheApiRejectsIsReportedAndBlocksNothing() throws IOException, InterruptedException {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    try (KvorumOperator operator = operator()) {
      await(cluster -> ready(cluster, 3));
      // Its admission plugin lets no volume grow that has no storage class.
      kubernetes.edit(Specs.of(4, "kvorum:1", "20Gi"));
      KvorumCluster last =
          await(cluster ->
              cluster.getStatus().members() == 4
                  && StatusReport.condition(cluster.getStatus(), "Ready")
                      .filter(it -> it.getReason().equals("VolumeCannotGrow"))
                      .isPresent());
      assertThat(StatusReport.condition(last.getStatus(), "Ready").orElseThrow().getMessage())
          .contains("data-kvorum-0", "only dynamically provisioned pvc can be resized");
      restsWithoutWriting(operator);
      rejected(() -> kubernetes.edit(Specs.of(4, "kvorum:1", "9Gi")), "may only grow");
      kubernetes.edit(Specs.of(4, "kvorum:1", "10Gi"));
      await(cluster -> ready(cluster, 4));
    }
  }

  @Test
  void whatWouldDoHarmIsRejectedWithAReason() {
    rejected(
        () -> kubernetes.create(Specs.of(2, "kvorum:1", "10Gi")),
        "replicas must be at least replication");
    rejected(
        () -> kubernetes.create(Specs.of(100, "kvorum:1", "10Gi")),
        "should be less than or equal to 99");
    rejected(() -> kubernetes.create(Specs.of(3, "kvorum:1", "much")), "spec.storage.size");
    rejected(
        () -> kubernetes.create(Specs.withSetting("kvorum.data-dir", "/tmp")),
        "what the operator sets itself");
    rejected(
        () -> kubernetes.create(Specs.withSetting("kvorum.cluster.peers", "a")),
        "the operator defines the members");
    for (String name : List.of("my.store", "1store")) {
      rejected(
          () -> kubernetes.create(name, Specs.of(3, "kvorum:1", "10Gi")),
          "Services are called after it");
    }
    for (String mistyped : List.of("768MB", "", "-1Gi")) {
      rejected(() -> kubernetes.create(Specs.withMemory(mistyped)), "resources must be quantities");
    }
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    rejected(() -> kubernetes.edit(Specs.of(3, "kvorum:1", "9Gi")), "may only grow");
    rejected(() -> kubernetes.edit(replication(2)), "replication cannot be changed");
    new FakeTasks(client).remove("kvorum-1");
    rejected(() -> new FakeTasks(client).retarget("kvorum-1", "kvorum-2"), "make another task");
    rejected(() -> kubernetes.edit(Specs.withZones("rack")), "zones.key cannot be changed");
    rejected(
        () -> client.resources(KvorumCluster.class).inNamespace("test").withName("kvorum").scale(1),
        "replicas must be at least replication");
  }

  private static KvorumClusterSpec replication(int replication) {
    return Specs.of(Map.of("replicas", 3, "replication", replication));
  }

  private static void rejected(Runnable write, String why) {
    assertThatThrownBy(write::run)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(why);
  }
}
