package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Nodes that crash, hang, restart and are stopped, under load. */
@ExtendWith(PrintsNodeLogs.class)
class FaultsIT {
  @TempDir private static Path directory;
  private static Cluster cluster;

  private final String key = "f-" + Seeds.uuid();

  @BeforeAll
  static void start() {
    cluster = new Cluster(directory, Map.of());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void makeComplete() {
    cluster.launchStopped();
    cluster.awaitComplete();
    cluster.awaitHintsDelivered();
  }

  @Test
  void goesOnWithoutAKilledNodeAndBringsItUpToDate() {
    NodeProcess dead = cluster.node(2);
    Client client = cluster.node(0).client();
    client.put(key, "before");
    client.put(key + "-deleted", "before");
    dead.kill();
    cluster.awaitMissed(dead);

    for (int i = 0; i < 20; i++) {
      assertThat(client.put(key + i, "during").statusCode()).isEqualTo(201);
      assertThat(Client.text(cluster.node(1).client().get(key + i))).isEqualTo("during");
    }
    assertThat(client.put(key, "during").statusCode()).isEqualTo(201);
    assertThat(client.delete(key + "-deleted").statusCode()).isEqualTo(202);
    assertRejectedAtOnce(() -> client.put(key, bytes("all"), "&ack=3"), dead, "unreachable");
    assertRejectedAtOnce(() -> client.get(key, "&ack=3"), dead, "unreachable");
    String ofTwo = keyOfDead(client, dead);
    assertRejectedAtOnce(() -> client.put(ofTwo, bytes("both"), "&from=2"), dead, "unreachable");
    assertRejectedAtOnce(() -> client.delete(ofTwo, "&from=2"), dead, "unreachable");

    dead.launch().awaitReady();
    cluster.awaitHintsDelivered();
    assertThat(Cluster.hasCopy(dead, key + "-deleted")).isFalse();
    for (int i = 0; i < 20; i++) {
      assertThat(Client.text(dead.client().get(key + i, "&ack=1&from=3"))).isEqualTo("during");
    }
  }

  private String keyOfDead(Client client, NodeProcess dead) {
    return IntStream.range(0, 100)
        .mapToObj(i -> key + "-two-" + i)
        .filter(
            candidate -> client.put(candidate, bytes("both"), "&ack=2&from=2").statusCode() == 504)
        .findFirst()
        .orElseThrow(
            () -> new AssertionError("no key has " + dead.name() + " among its first two"));
  }

  private static void assertRejectedAtOnce(
      Supplier<HttpResponse<byte[]>> request, NodeProcess dead, String word) {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      long start = System.nanoTime();
      JsonNode problem = assertProblem(request.get(), 504, "quorum-not-reached");
      millis.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
      assertThat(problem.get("replicas").get(dead.name()).asString()).isEqualTo(word);
    }
    // The median: a busy machine may hold any single request up.
    assertThat(millis.stream().sorted().toList().get(4)).as("%s ms", millis).isLessThan(100);
  }

  @Test
  void goesOnWhileANodeHangs() {
    NodeProcess hung = cluster.node(1);
    Client client = cluster.node(0).client();
    List<Long> millis = new ArrayList<>();
    hung.pause();
    try {
      long end = System.nanoTime() + Duration.ofSeconds(4).toNanos();
      for (int i = 0; System.nanoTime() < end; i++) {
        long start = System.nanoTime();
        assertThat(client.put(key + i % 50, "during " + i).statusCode()).isEqualTo(201);
        assertThat(Client.text(cluster.node(2).client().get(key + i % 50)))
            .isEqualTo("during " + i);
        millis.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
      }
      JsonNode problem =
          assertProblem(client.put(key, bytes("all"), "&ack=3"), 504, "quorum-not-reached");
      assertThat(problem.get("replicas").get(hung.name()).asString())
          .isIn("timed-out", "unreachable");
    } finally {
      hung.resume();
    }
    List<Long> sorted = millis.stream().sorted().toList();
    assertThat(sorted).hasSizeGreaterThan(20);
    assertThat(sorted.get(sorted.size() * 99 / 100)).as("p99 of %s", sorted).isLessThan(500);
    cluster.awaitComplete();
    cluster.awaitHintsDelivered();
    for (int i = 0; i < Math.min(50, millis.size()); i++) {
      String current = Client.text(client.get(key + i));
      assertThat(Client.text(hung.client().get(key + i, "&ack=1&from=3"))).isEqualTo(current);
    }
  }

  @Test
  void aWriteThatWaitedInASocketDoesNotCoverWhatItsClientWroteSince() throws IOException {
    NodeProcess stopped = cluster.node(1);
    int logged = stopped.log().length();
    Client other = cluster.node(0).client();
    assertThat(stopped.client().put(key, "first").statusCode()).isEqualTo(201);
    long pausedNanos;
    stopped.pause();
    try (RawConnection gaveUp = new RawConnection(stopped)) {
      pausedNanos = System.nanoTime();
      gaveUp.send("PUT /v0/entity?id=" + key + " HTTP/1.1\r\nHost: k\r\n");
      gaveUp.send("Content-Length: 3\r\n\r\nold");
      assertThat(other.put(key, "new").statusCode()).isEqualTo(201);
      Awaitility.await("it was paused for more than two seconds")
          .until(() -> System.nanoTime() - pausedNanos > Duration.ofSeconds(4).toNanos());
      stopped.resume();
      assertThat(gaveUp.readHead().status()).isEqualTo(503);
    } finally {
      stopped.resume();
    }
    assertThat(Client.text(other.get(key))).isEqualTo("new");
    assertThat(stopped.log().substring(logged)).contains("event loop paused");
    Awaitility.await("it takes writes again")
        .until(() -> stopped.client().put(key, "last").statusCode() == 201);
  }

  @Test
  void hasEveryAcknowledgedWriteAfterAllNodesWereKilledAtOnce() {
    Writers writers = new Writers(cluster, key);
    writers.awaitAcknowledged(200);
    cluster.nodes().forEach(node -> node.client().get(key));
    cluster.nodes().parallelStream().forEach(NodeProcess::kill);
    Map<String, String> acknowledged = writers.stop();

    cluster.launchStopped();
    cluster.awaitComplete();

    acknowledged.forEach((written, value) -> {
      HttpResponse<byte[]> read = cluster.node(written.length() % 3).client().get(written);
      assertThat(read.statusCode()).as(written).isEqualTo(200);
      assertThat(Client.text(read)).isEqualTo(value);
    });
  }

  @Test
  void readsItsLastAcknowledgedWriteFromAnyNodeWhileNodesComeAndGo() {
    Client writer = cluster.node(0).client();
    for (int round = 0; round < 2; round++) {
      NodeProcess gone = cluster.node(1 + round);
      for (int i = 0; i < 40; i++) {
        if (i == 10) {
          gone.kill();
        } else if (i == 30) {
          gone.launch().awaitReady();
        }
        String value = round + "/" + i;
        HttpResponse<byte[]> stored = writer.put(key, value);
        // In the first moments the dead node may still be waited for, never so at a majority.
        assertThat(stored.statusCode()).isEqualTo(201);
        for (NodeProcess node : cluster.nodes()) {
          if (node.isRunning()) {
            assertThat(Client.text(node.client().get(key))).isEqualTo(value);
          }
        }
      }
    }
  }

  @Test
  void stopsInGoodOrderUnderLoad() throws IOException {
    NodeProcess stopping = cluster.node(1);
    Writers writers = new Writers(cluster, key);
    writers.awaitAcknowledged(100);
    try (RawConnection idle = new RawConnection(stopping);
        RawConnection half = new RawConnection(stopping)) {
      idle.send("GET /v0/entity?id=x HTTP/1.1\r\nHost: k\r\n\r\n").read();
      half.send("PUT /v0/entity?id=" + key + "-half HTTP/1.1\r\nHost: k\r\n");
      half.send("Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
      assertThat(half.read().status()).as("the node waits for the value").isEqualTo(100);
      half.send("ha");
      long start = System.nanoTime();
      stopping.terminate();
      Awaitility.await("it begins to stop")
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> stopping.log().contains("Commencing graceful shutdown"));
      half.send("lf");
      RawConnection.Response answer = half.read();
      assertThat(answer.status()).as("a request in flight is finished").isEqualTo(201);
      assertThat(stopping.awaitExit(Duration.ofSeconds(15))).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      assertThat(idle.isClosedByNode()).isTrue();
    }
    writers.awaitAcknowledged(50);
    Map<String, String> acknowledged = writers.stop();
    assertThat(writers.odd()).as("answers other than 201").isEmpty();
    assertThat(stopping.log()).contains("kvorum-1 has stopped").doesNotContain("\tat ");

    stopping.launch();
    cluster.awaitComplete();
    acknowledged.put(key + "-half", "half");
    acknowledged.forEach((written, value) ->
        assertThat(Client.text(stopping.client().get(written))).isEqualTo(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
