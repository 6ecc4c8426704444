package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Compares a node's metrics with {@code docs/metrics.md}. */
@ExtendWith(PrintsNodeLogs.class)
class MetricsIT {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (\\w+) \\|([^|]*)\\|.*");
  private static final Pattern SAMPLE = Pattern.compile("(kvorum_\\w+)\\{([^}]*)\\} \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");
  private static final Set<String> ON_ALL = Set.of("kvorum_cluster", "member");

  @TempDir private static Path directory;
  private static Cluster cluster;

  /** A metric as the page or the node has it. */
  private record Metric(String type, Set<String> labels) {}

  @BeforeAll
  static void start() {
    // Every request is slow, so that the log of these is seen as well.
    cluster = new Cluster(directory, Map.of("kvorum.log.slow-request", "1ns"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** The rows of the page that are about nodes. */
  private static Map<String, Metric> documented() throws IOException {
    String page = Files.readString(PAGE);
    Map<String, Metric> rows = new TreeMap<>();
    page.substring(0, page.indexOf("\n## Operator"))
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .forEach(row -> {
          Set<String> labels = new TreeSet<>(ON_ALL);
          Matcher label = Pattern.compile("`(\\w+)`").matcher(row.group(3));
          while (label.find()) {
            labels.add(label.group(1));
          }
          rows.put(row.group(1), new Metric(row.group(2), labels));
        });
    assertThat(rows).hasSizeGreaterThan(50);
    return rows;
  }

  private static String scrape(NodeProcess node) {
    return Client.text(node.management().path("/actuator/prometheus"));
  }

  private static Map<String, Metric> exposed(String scraped) {
    Map<String, String> types = new TreeMap<>();
    scraped
        .lines()
        .filter(line -> line.startsWith("# TYPE kvorum_"))
        .map(line -> line.split(" ", -1))
        .forEach(words -> types.put(words[2], words[3]));
    Map<String, Metric> metrics = new TreeMap<>();
    scraped
        .lines()
        .map(SAMPLE::matcher)
        .filter(Matcher::matches)
        .forEach(sample -> {
          String name = sample.group(1);
          String base = name.replaceFirst("_(bucket|count|sum|max)$", "");
          boolean part = Set.of("histogram", "summary").contains(types.getOrDefault(base, ""));
          String whole = part ? base : name;
          metrics.put(
              whole, new Metric(types.getOrDefault(whole, "none"), labels(sample.group(2))));
        });
    return metrics;
  }

  private static Set<String> labels(String text) {
    Set<String> labels = new TreeSet<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.add(label.group(1));
    }
    labels.remove("le");
    return labels;
  }

  private static double value(String scraped, String metric, String... labels) {
    return scraped
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void exposesExactlyTheDocumentedEndpoints() throws IOException {
    NodeProcess node = cluster.node(0);
    node.client().put("k", "v");
    node.client().path("/v0/entities?start=a");
    cluster.node(2).kill();
    cluster.awaitMissed(cluster.node(2));
    // A request that a peer did not answer.
    node.client().get("k", "&ack=3&from=3");

    Map<String, Metric> exposed = exposed(scrape(node));
    cluster.launchStopped();
    cluster.awaitComplete();

    assertThat(exposed).isEqualTo(documented());
  }

  @Test
  void countsRequestsByOperationAndOutcome() {
    NodeProcess node = cluster.node(1);
    String before = scrape(node);
    node.client().put("counted", "v");
    node.client().get("counted");
    node.client().get("not there");
    node.client().delete("counted");
    node.client().path("/v0/entity");
    node.client().path("/v0/entities?start=a");
    Map<String[], Integer> wanted = new TreeMap<>((a, b) -> Arrays.compare(a, b));
    wanted.put(new String[] {"\"put\"", "\"stored\"", "\"ok\""}, 1);
    wanted.put(new String[] {"\"get\"", "\"found\"", "\"ok\""}, 1);
    wanted.put(new String[] {"\"get\"", "\"not-found\"", "\"ok\""}, 1);
    wanted.put(new String[] {"\"delete\"", "\"deleted\"", "\"ok\""}, 1);
    wanted.put(new String[] {"\"get\"", "\"rejected\""}, 1);
    wanted.put(new String[] {"\"range\"", "\"listed\"", "\"ok\""}, 1);
    // The answer is here before its end has been noted there.
    Awaitility.await("all are counted")
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> {
          String after = scrape(node);
          wanted.forEach((labels, count) ->
              assertThat(
                      value(after, "kvorum_requests_seconds_count", labels)
                          - value(before, "kvorum_requests_seconds_count", labels))
                  .as(Arrays.toString(labels))
                  .isEqualTo((double) count));
        });
  }

  @Test
  void countsBytesAndRequestsByPeer() {
    NodeProcess node = cluster.node(1);
    String before = scrape(node);
    for (int i = 0; i < 10; i++) {
      node.client().put("peer-" + i, new byte[10_000], "");
    }
    for (String metric :
        new String[] {"kvorum_rpc_requests_seconds_count", "kvorum_rpc_sent_bytes_total"}) {
      double least = metric.contains("bytes") ? 100_000 : 10;
      Awaitility.await(metric)
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() ->
              assertThat(
                      value(scrape(node), metric, "peer=\"kvorum-0\"")
                          - value(before, metric, "peer=\"kvorum-0\""))
                  .isGreaterThanOrEqualTo(least));
    }
    assertThat(value(scrape(node), "kvorum_rpc_in_flight")).isZero();
  }

  @Test
  void logsASlowRequestWithItsTraceAndWithoutItsKey() throws IOException {
    NodeProcess node = cluster.node(1);
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    // The log limits its rate, so a line of a burst may be left out.
    Awaitility.await("the line is there")
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> {
          try (RawConnection raw = new RawConnection(node)) {
            raw.send("GET /v0/entity?id=secret HTTP/1.1\r\nHost: k\r\n");
            raw.send("traceparent: 00-" + trace + "-00f067aa0ba902b7-01\r\n\r\n");
            assertThat(raw.readHead().status()).isEqualTo(404);
          }
          assertThat(node.log()).contains("Slow request").contains(trace);
        });
    assertThat(node.log()).doesNotContain("secret");
    assertThat(value(scrape(node), "kvorum_requests_slow_total")).isPositive();
  }
}
