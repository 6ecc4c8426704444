package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The operator's image against the API server that KUBECONFIG points at, in a namespace of its own.
 * Definitions that are missing there are removed again.
 */
@ContainerTest
class OperatorImageIT {
  private static final String NAMESPACE = "kvorum-image-" + ProcessHandle.current().pid();

  /** The operator's default limit. */
  private static final long MEMORY_BYTES = 256L << 20;

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String CLUSTER =
      """
      apiVersion: kvorum.dev/v1alpha1
      kind: KvorumCluster
      metadata: {name: store}
      spec: {replicas: 1, replication: 1, deletionPolicy: Delete, storage: {size: 1Gi}}
      """;

  @TempDir private Path directory;

  @BeforeEach
  void prepare() {
    Kubectl.assumeReachable();
    Kubectl.run("create", "namespace", NAMESPACE);
  }

  @AfterEach
  void remove() {
    if (Kubectl.obstacle().isEmpty()) {
      Kubectl.run("delete", "namespace", NAMESPACE, "--wait=false", "--ignore-not-found");
    }
  }

  @Test
  void createsTheObjectsOfACluster() throws IOException {
    boolean hadCrds = Kubectl.attempt("get", "crd", "kvorumclusters.kvorum.dev");
    String crds = Images.ROOT.resolve("helm/kvorum/crds").toString();
    if (!hadCrds) {
      Kubectl.run("apply", "--server-side", "-f", crds);
    }
    int port = Ports.free();
    try (GenericContainer<?> operator = operator(port)) {
      operator.start();
      Awaitility.await("the operator is ready")
          .atMost(TIMEOUT)
          .failFast(() -> assertThat(operator.isRunning()).as(() -> operator.getLogs()).isTrue())
          .ignoreExceptions()
          .until(
              () -> Http.send("GET", "http://127.0.0.1:" + port + "/readyz", "").status() == 200);
      Path file = directory.resolve("cluster.yaml");
      Files.writeString(file, CLUSTER);
      Kubectl.run("-n", NAMESPACE, "apply", "-f", file.toString());
      Awaitility.await("the StatefulSet is there")
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> Kubectl.attempt("-n", NAMESPACE, "get", "statefulset", "store"));
      Awaitility.await("the status is reported")
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(500))
          .until(() ->
              !Kubectl.run(
                      "-n",
                      NAMESPACE,
                      "get",
                      "kvorumcluster",
                      "store",
                      "-o",
                      "jsonpath={.status.phase}")
                  .isEmpty());
      Docker.client().stopContainerCmd(operator.getContainerId()).withTimeout(30).exec();
      assertThat(operator.getCurrentContainerInfo().getState().getExitCodeLong()).isIn(0L, 143L);
    } finally {
      Kubectl.attempt("-n", NAMESPACE, "delete", "kvorumcluster", "store", "--wait=false");
      if (!hadCrds) {
        Kubectl.run("delete", "--wait=false", "-f", crds);
      }
    }
  }

  private GenericContainer<?> operator(int port) throws IOException {
    Path configuration =
        Files.createFile(
            directory.resolve("kubeconfig"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    Files.writeString(
        configuration, Kubectl.run("config", "view", "--raw", "--flatten", "--minify"));
    return new GenericContainer<>(DockerImageName.parse(Images.operator()))
        .withLabels(Docker.labels())
        .withNetworkMode("host")
        .withEnv("KUBECONFIG", "/kubeconfig")
        .withEnv("WATCH_NAMESPACES", NAMESPACE)
        .withEnv("KVORUM_NODE_IMAGE", Images.node())
        .withEnv("HTTP_PORT", Integer.toString(port))
        .withCreateContainerCmdModifier(create ->
            Constraints.apply(create, MEMORY_BYTES, "64m")
                .withBinds(
                    new Bind(configuration.toString(), new Volume("/kubeconfig"), AccessMode.ro)));
  }
}
