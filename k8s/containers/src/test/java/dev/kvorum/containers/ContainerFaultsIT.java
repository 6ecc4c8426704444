package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults of containers under checked writes. */
@ContainerTest
class ContainerFaultsIT {
  /** SIGTERM's number and what shells add to it. */
  private static final long TERMINATED = 143;

  private static ContainerCluster cluster;

  @BeforeAll
  static void start() {
    cluster = ContainerCluster.three();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void makeComplete() {
    cluster.awaitComplete();
  }

  /** FaultsIT does more of it to processes; these are the runtime's own kinds of it. */
  @Test
  void keepsAcknowledgedWritesWhenNodesAreKilledPausedAndCutOff() {
    CheckedWrites.during(
        cluster,
        () -> {
          cluster.node(2).killNow();
          awaitMissed(0, 2);
          cluster.node(2).startAgain();
          cluster.awaitComplete();
          cluster.node(1).pause();
          awaitMissed(0, 1);
          cluster.node(1).resume();
          cluster.awaitComplete();
          cluster.node(0).disconnect();
          awaitMissed(1, 0);
          awaitMissed(2, 0);
          cluster.node(0).reconnect();
          cluster.awaitComplete();
        });
  }

  @Test
  void drainsAtSigterm() {
    CheckedWrites.during(
        cluster,
        () -> {
          assertThat(cluster.node(2).terminate()).as("exit code").isIn(0L, TERMINATED);
          awaitMissed(0, 2);
          cluster.node(2).startAgain();
          cluster.awaitComplete();
        });
  }

  @Test
  void keepsItsDataWhenAllAreKilled() {
    assertThat(cluster.node(0).put("survives", "yes").status()).isEqualTo(201);
    cluster.nodes().forEach(NodeContainer::killNow);
    cluster.nodes().parallelStream().forEach(NodeContainer::startAgain);
    cluster.awaitComplete();
    assertThat(cluster.node(1).get("survives")).isEqualTo(new Http.Reply(200, "yes"));
  }

  private static void awaitMissed(int by, int gone) {
    Awaitility.await("node " + gone + " is missed by " + by)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> !cluster.isConnected(by, gone));
  }
}
