package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.LoadTestPhase;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.LoadTests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Load tests on a real API server, which holds them to their definition. Skipped where {@code
 * $KUBEBUILDER_ASSETS} names none.
 */
class LoadTestApiServerTest {
  private static final long MILLIS_MAX = 60_000;

  @SuppressWarnings("NullAway.Init") // by the extension
  @TempDir
  Path directory;

  private static void eventually(BooleanSupplier what, Runnable meanwhile)
      throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MILLIS_MAX);
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(until);
      meanwhile.run();
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void create(ApiServer server, String spec) {
    server
        .client()
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: kvorum.dev/v1alpha1
                kind: KvorumLoadTest
                metadata: {name: written, namespace: test}
                spec: {cluster: nobody, %s}
                """
                    .formatted(spec),
                GenericKubernetesResource.class))
        .create();
  }

  private static void rejected(ApiServer server, String spec, String why) {
    assertThatThrownBy(() -> create(server, spec))
        .as(spec)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(why);
  }

  @Test
  void whatMakesNoSenseIsRejectedAndASweepRunsToItsEnd()
      throws IOException, GeneralSecurityException, InterruptedException {
    Optional<Path> binaries = ApiServer.binaries();
    Assumptions.assumeTrue(
        binaries.isPresent(), "KUBEBUILDER_ASSETS names no kube-apiserver and etcd");
    try (ApiServer server = new ApiServer(binaries.get(), directory)) {
      server.prepare("kvorumclusters", "kvorumtopologies", "kvorumloadtests");
      rejections(server);
      sweep(server);
    }
  }

  private static void rejections(ApiServer server) {
    rejected(server, "workload: put", "rates: Required value");
    rejected(server, "rates: []", "should have at least 1 items");
    rejected(server, "rates: [0]", "each of rates must be from 1 to 10000000");
    rejected(server, "rates: [2000, 1000]", "ascending order");
    rejected(server, "rates: [1000, 1000]", "ascending order");
    rejected(
        server, "rates: [1], connections: 2, threads: 3", "connections must be at least threads");
    rejected(server, "rates: [1], ack: 3, from: 2", "ack must be at most from");
    rejected(server, "rates: [1], duration: 10s", "duration must be from 15s to 6h");
    rejected(server, "rates: [1], duration: soon", "spec.duration");
    rejected(server, "rates: [1], waitMax: 0s", "waitMax must be from 1s to 720h");
    rejected(server, "rates: [1], valueBytes: 100-", "valueBytes must be a number");
    rejected(server, "rates: [1], valueBytes: 20-10", "must be at most the second");
    rejected(server, "rates: [1], valueBytes: 16777217", "valueBytes must be a number");
    rejected(server, "rates: [1], p99Max: 5", "spec.p99Max");
    rejected(server, "rates: [1], keys: 10000000000", "keys must be from 1 to 9999999999");
    rejected(server, "rates: [1], workload: delete", "spec.workload");
    create(server, "rates: [1, 2, 3], valueBytes: 100-200, duration: 1m30s, skew: 1.2");
  }

  private static void sweep(ApiServer server) throws IOException, InterruptedException {
    FakeLoad load = new FakeLoad(server.client());
    FakeKubernetes kubernetes = new FakeKubernetes(server.client());
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    load.create("sweep", "2026-01-01T00:00:00Z", LoadTests.spec(LoadWorkload.MIXED, 1000L, 4000L));
    try (KvorumOperator operator =
        new KvorumOperator(
            server.newClient(),
            kubernetes,
            new OperatorSettings(
                Set.of("test"),
                Optional.empty(),
                "lease",
                Optional.of("one"),
                "kvorum:1",
                "wrk2:1",
                false,
                0),
            () -> {})) {
      operator.start();
      eventually(
          () ->
              load.test("sweep").getStatus() != null
                  && load.test("sweep").getStatus().phase() == LoadTestPhase.COMPLETE,
          () -> {
            kubernetes.tick();
            load.tick();
          });
      KvorumLoadTest test = load.test("sweep");
      assertThat(test.getStatus().results()).hasSize(2);
      assertThat(test.getStatus().results().getFirst().spectrum()).hasSize(3);
      assertThat(operator.metrics()).contains("kvorum_loadtest_knee_rate");
      test.setSpec(LoadTests.spec(LoadWorkload.MIXED, 1000L, 3000L));
      assertThatThrownBy(() -> server.client().resource(test).update())
          .hasMessageContaining("spec cannot be changed once the load test has started");
      server.client().resource(test).delete();
      eventually(() -> !operator.metrics().contains("kvorum_loadtest_knee_rate"), () -> {});
    }
  }
}
