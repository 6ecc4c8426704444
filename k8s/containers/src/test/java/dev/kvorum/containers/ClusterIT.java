package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract's main requests to three containers, and the constraints that these run under. */
@ContainerTest
class ClusterIT {
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

  @Test
  void answersAsTheContractRequires() {
    assertThat(cluster.node(0).put("greeting", "hello").status()).isEqualTo(201);
    assertThat(cluster.node(1).get("greeting")).isEqualTo(new Http.Reply(200, "hello"));
    assertThat(cluster.node(2).get("greeting&ack=3&from=3").body()).isEqualTo("hello");
    assertThat(cluster.node(2).delete("greeting").status()).isEqualTo(202);
    assertThat(cluster.node(0).get("greeting").status()).isEqualTo(404);
    assertThat(cluster.node(0).put("", "x").status()).isEqualTo(400);
    assertThat(cluster.node(0).get("greeting&ack=4&from=3").status()).isEqualTo(400);
  }

  @Test
  void servesARangeOverAllNodes() {
    for (int i = 0; i < 9; i++) {
      assertThat(cluster.node(i % 3).put("range-" + i, "v" + i).status()).isEqualTo(201);
    }
    String range = "/v0/entities?start=range-&end=range-9";
    assertThat(Http.send("GET", "http://" + cluster.node(0).address() + range, "").body())
        .contains("range-0", "v0", "range-8", "v8");
  }

  @Test
  void reportsHealthAndMetrics() {
    for (NodeContainer node : cluster.nodes()) {
      assertThat(node.management("/actuator/health/liveness").status()).isEqualTo(200);
      assertThat(node.management("/actuator/prometheus").body()).contains("kvorum_", "jvm_memory");
    }
  }

  @Test
  void seesTheLimitsOfItsControlGroup() {
    NodeContainer node = cluster.node(0);
    String metrics = node.management("/actuator/prometheus").body();
    assertThat(sum(metrics, "system_cpu_count")).isEqualTo(1);
    assertThat(sum(metrics, "jvm_memory_max_bytes{area=\"heap\""))
        .isPositive()
        .isLessThan(NodeContainer.MEMORY_BYTES / 2);
  }

  /** The sum of all samples whose line begins like this. */
  private static double sum(String metrics, String prefix) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void runsAsThePodsDo() throws Exception {
    NodeContainer node = cluster.node(0);
    assertThat(node.execInContainer("id", "-u").getStdout().strip()).isEqualTo("10001");
    assertThat(node.execInContainer("touch", "/opt/kvorum/x").getStderr())
        .contains("Read-only file system");
    String status = node.execInContainer("cat", "/proc/1/status").getStdout();
    assertThat(status)
        .containsPattern("CapEff:\\s+0{16}\\n")
        .containsPattern("NoNewPrivs:\\s+1\\n")
        .containsPattern("Seccomp:\\s+2\\n");
  }
}
