package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How a node treats its volume. */
@ContainerTest
class VolumeIT {
  @Test
  void keepsItsDataInANewContainerAndRejectsThatOfAnotherMember() {
    try (ContainerCluster cluster = ContainerCluster.three()) {
      assertThat(cluster.node(0).put("kept", "yes").status()).isEqualTo(201);
      cluster.replaceBy(2, Images.node()).start();
      cluster.awaitComplete();
      assertThat(cluster.node(2).get("kept&ack=3&from=3")).isEqualTo(new Http.Reply(200, "yes"));

      cluster.node(1).terminate();
      cluster.node(1).stop();
      cluster.node(2).terminate();
      cluster.node(2).stop();
      NodeContainer wrong = cluster.remake(2, Images.node(), 1);
      assertThatThrownBy(wrong::start)
          .hasMessageContaining("belongs to member kvorum-1, this node is set to kvorum-2");
      cluster.remake(1, Images.node(), 1).start();
      cluster.remake(2, Images.node(), 2).start();
      cluster.awaitComplete();
      assertThat(cluster.node(1).get("kept&ack=3&from=3")).isEqualTo(new Http.Reply(200, "yes"));
    }
  }
}
