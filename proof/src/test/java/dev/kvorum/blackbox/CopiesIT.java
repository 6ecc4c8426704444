package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many replicas keep what a client wrote, by way of three healthy nodes. */
@ExtendWith(PrintsNodeLogs.class)
class CopiesIT {
  private static final Cluster CLUSTER = SharedCluster.get();
  private final String key = "k-" + Seeds.uuid();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&ack=1",
        "&ack=2",
        "&ack=3",
        "&from=1",
        "&from=2",
        "&from=3",
        "&ack=1&from=1",
        "&ack=1&from=2",
        "&ack=2&from=2",
        "&ack=1&from=3",
        "&ack=2&from=3",
        "&ack=3&from=3",
      })
  void servesEveryQuorumThatTheMembersAllow(String quorum) {
    assertThat(node(0).put(key, "v".getBytes(StandardCharsets.UTF_8), quorum).statusCode())
        .isEqualTo(201);
    if (!quorum.contains("ack=1") || quorum.contains("from=1")) {
      assertThat(Client.text(node(1).get(key, quorum))).isEqualTo("v");
    }
    assertThat(node(2).delete(key, quorum).statusCode()).isEqualTo(202);
  }

  @Test
  void leavesAsManyCopiesAsTheWriterAskedFor() {
    for (int i = 0; i < 6; i++) {
      String single = key + "-single-" + i;
      String pair = key + "-pair-" + i;
      node(i % 3).put(single, new byte[] {1}, "&from=1");
      node(i % 3).put(pair, new byte[] {2}, "&ack=2&from=2");

      assertThat(CLUSTER.copies(single)).isEqualTo(1);
      assertThat(CLUSTER.copies(pair)).isEqualTo(2);
      for (NodeProcess node : CLUSTER.nodes()) {
        assertThat(node.client().get(single, "&ack=1&from=1").statusCode()).isEqualTo(200);
        assertThat(node.client().get(single, "&ack=3&from=3").statusCode()).isEqualTo(200);
        assertThat(node.client().get(pair, "&ack=2&from=2").statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void makesNoFurtherCopiesWhenMoreReplicasAreRead() {
    for (int i = 0; i < 6; i++) {
      String single = key + "-single-" + i;
      node(i % 3).put(single, new byte[] {1}, "&from=1");
      for (NodeProcess node : CLUSTER.nodes()) {
        assertThat(node.client().get(single, "&ack=3&from=3").statusCode()).isEqualTo(200);
        node.client().get(single, "&ack=2&from=3");
        node.client().get(single, "&ack=1&from=3");
      }
      assertThat(CLUSTER.copies(single)).isEqualTo(1);
    }
  }

  private static Client node(int number) {
    return CLUSTER.node(number).client();
  }
}
