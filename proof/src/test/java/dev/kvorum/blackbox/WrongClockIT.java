package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node that is started with a clock a minute or a day ahead, and again with the right one. */
@ExtendWith(PrintsNodeLogs.class)
class WrongClockIT {
  private static final String AN_HOUR = "&ttl=3600000";

  @TempDir private static Path directory;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    // Scans, which expire records, come every two seconds.
    cluster =
        new Cluster(
            directory,
            Map.of("kvorum.repair.interval", "2s", "kvorum.repair.granularity", "500ms"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aMinuteAheadItRejectsWritesBeforeTheyAreStoredAnywhereAndReportsItsOffset() {
    Client right = cluster.node(0).client();
    Client fast = restartAhead("60s").client();
    assertThat(right.put("w", "before").statusCode()).isEqualTo(201);

    assertProblem(fast.put("w", "from the future"), 503, "clock-ahead");

    assertThat(Client.text(fast.get("w"))).isEqualTo("before");
    assertThat(Client.text(fast.get("w", "&ack=1&from=1"))).isEqualTo("before");
    assertThat(right.put("w", "after").statusCode()).isEqualTo(201);
    for (NodeProcess node : cluster.nodes()) {
      assertThat(Client.text(node.client().get("w", "&ack=3&from=3"))).isEqualTo("after");
    }
    assertThat(offset(cluster.node(2))).isBetween(55.0, 65.0);
    assertThat(offset(cluster.node(0))).isBetween(-5.0, 5.0);
  }

  @Tag("chaos")
  @Test
  void expiresNothingEarlyAndTakesWritesOnceItsClockIsRight() {
    byte[] value = "an hour".getBytes(StandardCharsets.UTF_8);
    Client right = cluster.node(0).client();
    assertThat(right.put("k", value, AN_HOUR).statusCode()).isEqualTo(201);
    assertThat(Client.text(right.get("k", "&ack=3&from=3"))).isEqualTo("an hour");

    NodeProcess fast = restartAhead("24h");
    assertProblem(fast.client().put("other", "from the future"), 503, "clock-ahead");
    double pulls = pulls();
    Awaitility.await("replicas are compared meanwhile")
        .atMost(Duration.ofSeconds(30))
        .until(() -> pulls() > pulls + 3);
    isThereEverywhere();

    NodeProcess again = restart("0s");
    isThereEverywhere();
    HttpResponse<byte[]> written = again.client().put("k", "right again");
    assertThat(written.statusCode()).as(Client.text(written)).isEqualTo(201);
  }

  /** It leaves stamps from the future, which then keep no other node from its rebuild. */
  @Tag("chaos")
  @Test
  void anotherNodeIsRebuiltAfterItWasAlone() {
    NodeProcess right = cluster.node(0);
    NodeProcess emptied = cluster.node(1);
    for (NodeProcess node : List.of(right, emptied)) {
      node.kill();
      node.awaitExit(Duration.ofSeconds(15));
    }
    NodeProcess alone = cluster.node(2);
    alone.terminate();
    alone.awaitExit(Duration.ofSeconds(15));
    alone.set("kvorum.clock.skew", "24h").launch();
    Awaitility.await("a node without peers goes by its own clock")
        .atMost(Duration.ofSeconds(30))
        .ignoreException(UncheckedIOException.class)
        .until(() -> put(alone, "from the future", "&ack=1&from=3") == 201);

    alone.terminate();
    alone.awaitExit(Duration.ofSeconds(15));
    alone.set("kvorum.clock.skew", "0s").launch();
    right.launch();
    emptied.wipe();
    emptied.launch();
    Awaitility.await("the emptied node is asked too")
        .atMost(Duration.ofSeconds(30))
        .ignoreException(UncheckedIOException.class)
        .until(() -> put(right, "first", "&ack=2&from=3") == 201);
    for (int i = 0; i < 200; i++) {
      assertThat(put(right, "right " + i, "&ack=2&from=3")).isEqualTo(201);
    }
    cluster.awaitRebuilt();
    assertThat(put(emptied, "its clock has not moved", "&ack=3&from=3")).isEqualTo(201);
    assertThat(Cluster.hasCopy(emptied, "from the future")).isTrue();
  }

  private static int put(NodeProcess node, String key, String parameters) {
    byte[] value = "a value".getBytes(StandardCharsets.UTF_8);
    return node.client().put(key, value, parameters).statusCode();
  }

  private static NodeProcess restart(String skew) {
    NodeProcess node = cluster.node(2);
    node.terminate();
    node.awaitExit(Duration.ofSeconds(15));
    node.set("kvorum.clock.skew", skew).launch();
    cluster.awaitComplete();
    return node;
  }

  private static NodeProcess restartAhead(String skew) {
    int logged = cluster.node(2).log().length();
    NodeProcess fast = restart(skew);
    Awaitility.await("the others' time is known")
        .until(() -> fast.log().substring(logged).contains("peers' clocks: writes are rejected"));
    return fast;
  }

  private static void isThereEverywhere() {
    for (NodeProcess node : cluster.nodes()) {
      assertThat(Client.text(node.client().get("k", "&ack=1&from=3"))).isEqualTo("an hour");
      assertThat(Client.text(node.client().get("k", "&ack=3&from=3"))).isEqualTo("an hour");
    }
  }

  private static double pulls() {
    return cluster.nodes().stream()
        .mapToDouble(node -> metric(node, "kvorum_repair_sessions_total", "outcome=\"completed\""))
        .sum();
  }

  private static double offset(NodeProcess node) {
    return metric(node, "kvorum_clock_offset_seconds", "");
  }

  private static double metric(NodeProcess node, String name, String label) {
    return Client.text(node.management().path("/actuator/prometheus"))
        .lines()
        .filter(line -> line.startsWith(name + "{") && line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
