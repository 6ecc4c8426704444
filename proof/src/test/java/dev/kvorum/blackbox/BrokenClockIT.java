package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node whose machine's clock is a minute ahead of the others'. */
@ExtendWith(PrintsNodeLogs.class)
class BrokenClockIT {
  @TempDir private static Path directory;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster = new Cluster(directory, Map.of());
    NodeProcess fast = cluster.node(2);
    fast.terminate();
    fast.awaitExit(Duration.ofSeconds(15));
    fast.set("kvorum.clock.skew", "60s").launch();
    cluster.awaitComplete();
    Awaitility.await("it has received the time")
        .until(() -> fast.log().contains("peers' clocks: writes are rejected"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void itsWritesAreRefusedBeforeTheyAreStoredAnywhere() {
    Client fast = cluster.node(2).client();
    Client right = cluster.node(0).client();
    assertThat(right.put("k", "before").statusCode()).isEqualTo(201);

    assertProblem(fast.put("k", "from the future"), 503, "clock-ahead");

    assertThat(Client.text(fast.get("k"))).isEqualTo("before");
    assertThat(Client.text(fast.get("k", "&ack=1&from=1"))).isEqualTo("before");
    assertThat(right.put("k", "after").statusCode()).isEqualTo(201);
    for (NodeProcess node : cluster.nodes()) {
      assertThat(Client.text(node.client().get("k", "&ack=3&from=3"))).isEqualTo("after");
    }
  }

  @Test
  void reportsItsOffset() {
    String fast = Client.text(cluster.node(2).management().path("/actuator/prometheus"));
    assertThat(offset(fast)).isBetween(55.0, 65.0);
    String right = Client.text(cluster.node(0).management().path("/actuator/prometheus"));
    assertThat(offset(right)).isBetween(-5.0, 5.0);
  }

  private static double offset(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("kvorum_clock_offset_seconds"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }
}
