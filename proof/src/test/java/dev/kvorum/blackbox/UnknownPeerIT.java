package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Those who knock at the port between nodes and do not belong there. */
@ExtendWith(PrintsNodeLogs.class)
class UnknownPeerIT {
  private static final Cluster CLUSTER = SharedCluster.get();

  @Test
  void rejectsANodeOfAnotherCluster(@TempDir Path directory) {
    try (NodeProcess stranger = new NodeProcess("kvorum-2", directory, Ports.free(), Map.of())) {
      stranger.set("kvorum.cluster.id", "other").set("kvorum.cluster.peers", CLUSTER.peers());
      stranger.launch().awaitReady();

      Awaitility.await("it is rejected")
          .atMost(Duration.ofSeconds(20))
          .until(() -> stranger.log().contains("rejected: cluster 'other'"));

      assertThat(Cluster.sees(stranger, CLUSTER.node(0))).isFalse();
      assertThat(Cluster.sees(stranger, CLUSTER.node(1))).isFalse();
      JsonNode problem =
          assertProblem(stranger.client().put("stranger", "v"), 504, "quorum-not-reached");
      assertThat(problem.get("replicas").get("kvorum-0").asString()).isEqualTo("unreachable");
      assertThat(CLUSTER.node(0).log()).contains("Rejected kvorum-2: cluster 'other'");
      assertThat(CLUSTER.node(0).client().get("stranger", "&ack=3").statusCode()).isEqualTo(404);
      assertThat(CLUSTER.node(0).client().put("own", "v").statusCode()).isEqualTo(201);
    }
  }

  @Test
  void isNotHurtByGarbageOnThePortBetweenNodes() throws IOException {
    int port = Integer.parseInt(CLUSTER.node(0).setting("kvorum.rpc.port"));
    Random random = new Random(7);
    for (int i = 0; i < 100; i++) {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      if (i % 3 == 0) {
        // A plausible length, so that the garbage comes through as a frame.
        bytes = ("\0\0\0\u0010" + "x".repeat(40)).getBytes(StandardCharsets.ISO_8859_1);
      }
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(bytes);
      }
    }
    assertThat(CLUSTER.node(1).client().put("own", new byte[1], "&ack=3").statusCode())
        .isEqualTo(201);
    assertThat(CLUSTER.node(0).log()).doesNotContain("\tat ");
  }
}
