package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Nodes without a protocol in common reject each other's connections, and the one that is alone
 * does not become ready; a node rejects a data directory of a newer format before it changes any
 * file.
 */
@ContainerTest
class IncompatibleVersionsIT {
  @Test
  void rejectsANodeTwoReleasesAhead() {
    String other =
        Patched.image("dev.kvorum.rpc.ProtocolRange", "SUPPORTED = new ProtocolRange(", 2);
    try (ContainerCluster cluster = ContainerCluster.three()) {
      CheckedWrites.during(
          cluster,
          () -> {
            NodeContainer stranger = cluster.replaceBy(2, other);
            stranger.withoutWaiting().start();
            Awaitility.await("the rejection is logged")
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                    cluster.node(0).getLogs().contains("upgrade through a release in between")
                        && stranger.getLogs().contains("is not ready: a majority"));
            assertThat(cluster.isConnected(0, 2)).isFalse();
            Awaitility.await("it answers that it is not ready")
                .ignoreException(UncheckedIOException.class)
                .until(() -> stranger.management("/actuator/health/readiness").status() == 503);
            cluster.replaceBy(2, Images.node()).start();
            cluster.awaitComplete();
          });
      assertThat(cluster.node(0).getLogs())
          .containsPattern("it runs .* with protocol \\d+\\.\\.\\d+, this node .* with protocol");
    }
  }

  @Test
  void rejectsDataOfANewerFormatBeforeItChangesAny() {
    String newer =
        Patched.image("dev.kvorum.membership.IdentityFile", "FORMAT_WITH_FEATURES = ", 1);
    try (ContainerCluster cluster = ContainerCluster.of(1, newer, 1, node -> {})) {
      assertThat(cluster.node(0).put("newer", "yes").status()).isEqualTo(201);
      cluster.node(0).terminate();
      cluster.node(0).stop();
      String before = Volumes.digest(cluster.volume(0));

      NodeContainer older = cluster.remake(0, Images.node(), 0);
      assertThatThrownBy(older::start)
          .hasMessageContaining("has format 3, this version supports formats 1 and 2")
          .hasMessageContaining("run the version that wrote it");
      assertThat(Volumes.digest(cluster.volume(0))).isEqualTo(before);

      cluster.remake(0, newer, 0).start();
      assertThat(cluster.node(0).get("newer").body()).isEqualTo("yes");
    }
  }
}
