package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rolling replacement between two versions with different protocols, and back. This is the contract
 * for every change of a format: mixed versions work together, or reject each other ({@link
 * IncompatibleVersionsIT}).
 */
@ContainerTest
class UpgradeIT {
  private static String previous = "";

  @BeforeAll
  static void build() {
    previous = Images.previous().orElse("");
    if (previous.isEmpty()) {
      System.out.println("skipped: upgrades, the commit to upgrade from is not in this clone");
    }
  }

  @Test
  void upgradesAndDowngradesUnderCheckedWrites() {
    Assumptions.assumeFalse(previous.isEmpty(), "no previous version");
    try (ContainerCluster cluster = ContainerCluster.of(3, previous, 1, UpgradeIT::hold)) {
      assertThat(cluster.node(0).put("from-before", "yes").status()).isEqualTo(201);
      CheckedWrites.during(
          cluster,
          () -> {
            replaceAllBy(cluster, Images.node());
            assertThat(cluster.node(0).get("from-before").body()).isEqualTo("yes");
            assertThat(protocol(cluster, 0, 1))
                .as("between members of the new version")
                .isEqualTo(4);
            cluster.replaceBy(2, previous).start();
            cluster.awaitComplete();
            assertThat(protocol(cluster, 0, 2)).as("with one of the version before").isEqualTo(3);
            replaceAllBy(cluster, previous);
            assertThat(cluster.node(0).get("from-before").body()).isEqualTo("yes");
          });
    }
  }

  /** The version before knows no such setting, and logs that. */
  private static void hold(NodeContainer node) {
    node.withEnv("KVORUM_CLUSTER_HOLDFEATURES", "true");
  }

  @Test
  void aFeatureIsActiveOnceAllHaveItAndEndsTheWayBack() {
    Assumptions.assumeFalse(previous.isEmpty(), "no previous version");
    try (ContainerCluster cluster = ContainerCluster.of(3, previous, 1, node -> {})) {
      CheckedWrites.during(
          cluster,
          () -> {
            cluster.replaceBy(2, Images.node()).start();
            cluster.replaceBy(1, Images.node()).start();
            cluster.awaitComplete();
            assertThat(isActive(cluster, 2)).as("while a member lacks it").isFalse();
            assertThat(cluster.node(2).putTyped("typed", "{}", "application/json")).isEqualTo(201);
            assertThat(cluster.node(1).typeOf("typed")).isEqualTo("application/octet-stream");

            cluster.replaceBy(0, Images.node()).start();
            cluster.awaitComplete();
            Awaitility.await("all members use the feature")
                .until(() -> IntStream.range(0, 3).allMatch(node -> isActive(cluster, node)));
            assertThat(cluster.node(2).putTyped("typed", "{}", "application/json")).isEqualTo(201);

            String before = stopped(cluster, 1);
            assertThatThrownBy(cluster.remake(1, previous, 1)::start)
                .hasMessageContaining("has format 2, this version supports format 1");
            assertThat(Volumes.digest(cluster.volume(1))).isEqualTo(before);
            cluster.remake(1, Images.node(), 1).start();
            cluster.awaitComplete();
            for (NodeContainer node : cluster.nodes()) {
              assertThat(node.typeOf("typed")).isEqualTo("application/json");
              assertThat(node.get("typed").body()).isEqualTo("{}");
            }
          });
    }
  }

  /** Stops a node and returns the digest of its volume. */
  private static String stopped(ContainerCluster cluster, int node) {
    cluster.node(node).terminate();
    cluster.node(node).stop();
    return Volumes.digest(cluster.volume(node));
  }

  private static boolean isActive(ContainerCluster cluster, int node) {
    return cluster
        .node(node)
        .management("/actuator/kvorum")
        .json()
        .path("activeFeatures")
        .valueStream()
        .anyMatch(feature -> feature.asString().equals("content-type"));
  }

  private static int protocol(ContainerCluster cluster, int of, int with) {
    String name = "kvorum_rpc_protocol";
    return (int)
        Double.parseDouble(
            cluster
                .node(of)
                .management("/actuator/prometheus?includedNames=" + name)
                .body()
                .lines()
                .filter(line ->
                    line.startsWith(name + "{")
                        && line.contains("peer=\"" + cluster.node(with).name() + "\""))
                .map(line -> line.substring(line.lastIndexOf(' ')))
                .findFirst()
                .orElseThrow());
  }

  /** The last member first, as a StatefulSet does. */
  private static void replaceAllBy(ContainerCluster cluster, String image) {
    for (int i = cluster.nodes().size() - 1; i >= 0; i--) {
      cluster.replaceBy(i, image).start();
      cluster.awaitComplete();
    }
  }
}
