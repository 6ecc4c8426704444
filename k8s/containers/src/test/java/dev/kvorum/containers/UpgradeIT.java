package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rolling replacement between two versions with different protocols, and back. This is the contract
 * for every change of a format: mixed versions work together, or refuse each other ({@link
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
  void upgradesAndGoesBackUnderCheckedWrites() {
    Assumptions.assumeFalse(previous.isEmpty(), "no previous version");
    try (ContainerCluster cluster = ContainerCluster.of(3, previous, 1, node -> {})) {
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
