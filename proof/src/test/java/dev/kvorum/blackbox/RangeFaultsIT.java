package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.blackbox.RangeReader.Found;
import dev.kvorum.seeds.Seeds;
import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Ranges while nodes die, hang and come back, and while others write. */
@ExtendWith(PrintsNodeLogs.class)
class RangeFaultsIT {
  private static final int RECORDS = 400;
  // A stream outlasts the buffers of sockets.
  private static final int VALUE_BYTES = 15_000;

  @TempDir private static Path directory;
  private static Cluster cluster;

  private final String prefix = "rf-" + Seeds.uuid() + "-";

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

  private void fill() {
    byte[] value = new byte[VALUE_BYTES];
    IntStream.range(0, RECORDS)
        .parallel()
        .forEach(i -> {
          Client client = cluster.node(i % 3).client();
          Awaitility.await("write " + i)
              .atMost(Duration.ofSeconds(30))
              .pollDelay(Duration.ZERO)
              .until(() -> client.put(key(i), value, "").statusCode() == 201);
        });
  }

  private String key(int number) {
    return prefix + "%05d".formatted(number);
  }

  private List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(this::key).toList();
  }

  private List<String> take(RangeReader reader, int records) throws IOException {
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      Found next = reader.next();
      assertThat(next).as("record %d", i).isNotNull();
      taken.add(Objects.requireNonNull(next).key());
    }
    return taken;
  }

  @Test
  void staysCompleteWhenOneNodeDiesMidwayAndAfterwards() throws IOException {
    fill();
    String all = RangeReader.of(prefix);
    try (RangeReader reader = new RangeReader(cluster.node(0), all)) {
      List<String> found = take(reader, 100);
      cluster.node(1).kill();
      found.addAll(reader.rest().stream().map(Found::key).toList());
      assertThat(found).isEqualTo(keys(0, RECORDS));
    }
    cluster.awaitMissed(cluster.node(1));
    for (int i = 0; i < 50; i++) {
      cluster.node(2).client().delete(key(i));
    }
    assertThat(RangeReader.keys(cluster.node(2), all + "&limit=1"))
        .as("behind pages of nothing but tombstones")
        .isEqualTo(keys(50, 51));
    long start = System.nanoTime();
    assertThat(RangeReader.keys(cluster.node(2), all + "&limit=300")).isEqualTo(keys(50, 350));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    cluster.launchStopped();
    cluster.awaitComplete();
    assertThat(RangeReader.keys(cluster.node(1), all)).isEqualTo(keys(50, RECORDS));
  }

  @Test
  void reportsThatItIsIncompleteWhenTwoNodesAreGone() throws IOException {
    fill();
    Client client = cluster.node(0).client();
    String all = RangeReader.of(prefix);
    JsonNode before;
    try (RangeReader chunks = new RangeReader(cluster.node(0), all);
        RawConnection lines = new RawConnection(cluster.node(0))) {
      List<String> found = take(chunks, 10);
      lines.send("GET /v0/entities?" + all + " HTTP/1.1\r\nHost: k\r\n");
      lines.send("Accept: application/x-ndjson\r\n\r\n");
      assertThat(lines.readHead().status()).isEqualTo(200);
      cluster.node(1).kill();
      cluster.node(2).kill();
      assertThatThrownBy(
              () -> {
                while (true) {
                  found.addAll(take(chunks, 1));
                }
              })
          .isInstanceOf(EOFException.class);
      assertThat(found).hasSizeLessThan(RECORDS).isEqualTo(keys(0, found.size()));
      before = assertLastLineIsTheReason(lines);
    }
    Awaitility.await("what was broken off counts as failed")
        .atMost(Duration.ofSeconds(10))
        .until(() ->
            Client.text(cluster.node(0).management().path("/actuator/prometheus"))
                .lines()
                .anyMatch(line ->
                    line.startsWith("kvorum_requests_seconds_count{")
                        && line.contains("operation=\"range\"")
                        && line.contains("outcome=\"quorum-not-reached\"")
                        && line.contains("result=\"failed\"")));

    long start = System.nanoTime();
    JsonNode problem = assertProblem(client.path("/v0/entities?" + all), 504, "quorum-not-reached");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    assertThat(problem.get("replicas").get("kvorum-0").asString()).isEqualTo("replied");
    assertThat(problem.get("replicas").get("kvorum-1").asString()).isEqualTo("unreachable");
    assertThat(problem.get("replicas").get("kvorum-2").asString()).isEqualTo("unreachable");
    assertThat(problem.get("detail").asString()).startsWith("2 of 3 members are unreachable: ");
    assertThat(assertProblem(client.get("a"), 504, "quorum-not-reached").get("detail").asString())
        .startsWith("2 of 3 members are unreachable; 2 confirmations needed, ");
    assertThat(RangeReader.keys(cluster.node(0), all + "&scope=node")).isNotEmpty();

    cluster.launchStopped();
    cluster.awaitComplete();
    String resume = before.get("resume").asString();
    HttpResponse<byte[]> rest =
        cluster
            .node(1)
            .client()
            .path("/v0/entities?resume=" + resume + "&end=" + RangeReader.encoded(key(99_999)));
    assertThat(rest.statusCode()).isEqualTo(200);
    int number = Integer.parseInt(before.get("key").asString().substring(prefix.length()));
    assertThat(Client.text(rest)).startsWith(key(number + 1)).contains(key(RECORDS - 1));
  }

  /** Returns the last record before that line. */
  private JsonNode assertLastLineIsTheReason(RawConnection connection) throws IOException {
    StringBuilder text = new StringBuilder();
    assertThatThrownBy(
            () -> {
              while (true) {
                byte[] chunk = connection.readChunk();
                assertThat(chunk).as("the last chunk").isNotEmpty();
                text.append(new String(chunk, StandardCharsets.UTF_8));
              }
            })
        .isInstanceOf(EOFException.class);
    List<JsonNode> lines = text.toString().lines().map(JsonMapper.shared()::readTree).toList();
    JsonNode last = lines.getLast();
    assertThat(last.get("incomplete").asString())
        .isEqualTo("urn:kvorum:problem:quorum-not-reached");
    assertThat(last.get("replicas").get("kvorum-0").asString()).isEqualTo("replied");
    assertThat(lines.subList(0, lines.size() - 1).stream().map(line -> line.get("key").asString()))
        .containsExactlyElementsOf(keys(0, lines.size() - 1));
    return lines.get(lines.size() - 2);
  }

  @Test
  void goesOnWithoutANodeThatHangs() throws IOException {
    fill();
    cluster.node(2).pause();
    try {
      assertThat(RangeReader.keys(cluster.node(0), RangeReader.of(prefix)))
          .isEqualTo(keys(0, RECORDS));
    } finally {
      cluster.node(2).resume();
    }
  }

  @Test
  void hasEachKeyThatWasThereThroughoutOnceWhileOthersWrite() throws Exception {
    fill();
    Writers writers = new Writers(cluster, prefix + "w");
    AtomicBoolean stopped = new AtomicBoolean();
    Thread overwriting =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; !stopped.get(); i += 7) {
                cluster.node(i % 3).client().put(key(i % RECORDS), "overwritten");
              }
            });
    try {
      for (int round = 0; round < 2; round++) {
        List<String> found = RangeReader.keys(cluster.node(round), RangeReader.of(prefix));
        assertThat(found.stream().filter(key -> !key.contains("-w-"))).isEqualTo(keys(0, RECORDS));
        assertThat(found).isSorted().doesNotHaveDuplicates();
      }
    } finally {
      stopped.set(true);
      overwriting.join();
      writers.stop();
    }
  }
}
