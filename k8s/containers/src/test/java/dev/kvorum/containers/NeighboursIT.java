package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus and a collector of spans beside the containers, as processes of this machine. */
@ContainerTest
class NeighboursIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  @TempDir private static Path directory;
  private static SpanCollector collector;
  private static ContainerCluster cluster;

  @BeforeAll
  static void start() {
    collector = new SpanCollector();
    cluster =
        ContainerCluster.of(
            3,
            Images.node(),
            1,
            node ->
                node.withExtraHost("collector", "host-gateway")
                    .withEnv(
                        "KVORUM_TRACING_ENDPOINT",
                        "http://collector:" + collector.port() + "/v1/traces"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    collector.close();
  }

  @Test
  void exportSpansOfARequestThroughAllNodes() {
    HttpRequest.Builder put =
        HttpRequest.newBuilder(
                URI.create(
                    "http://" + cluster.node(0).address() + "/v0/entity?id=traced&ack=3&from=3"))
            .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
            .PUT(BodyPublishers.ofString("v"));
    assertThat(Http.send(put).status()).isEqualTo(201);
    Awaitility.await("spans of all nodes")
        .atMost(Duration.ofSeconds(20))
        .until(() -> collector.nodes(TRACE).size() == 3);
  }

  @Test
  void letPrometheusScrapeThem() throws Exception {
    Optional<Path> program = Prometheus.program();
    if (program.isEmpty()) {
      System.out.println("skipped: Prometheus beside the containers, it is not on the PATH");
    }
    Assumptions.assumeTrue(program.isPresent(), "no Prometheus");
    String targets =
        cluster.nodes().stream()
            .map(node -> "'" + node.managementAddress() + "'")
            .collect(Collectors.joining(", "));
    Path configuration = directory.resolve("prometheus.yml");
    Files.writeString(
        configuration,
        """
        global: {scrape_interval: 1s}
        scrape_configs:
          - job_name: kvorum
            metrics_path: /actuator/prometheus
            static_configs: [{targets: [%s]}]
        """
            .formatted(targets));
    try (Prometheus prometheus = new Prometheus(program.get(), configuration, directory)) {
      assertThat(cluster.node(0).put("scraped", "v").status()).isEqualTo(201);
      Awaitility.await("all nodes are scraped")
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> {
            assertThat(prometheus.value("sum(up{job='kvorum'})")).isEqualTo(3);
            assertThat(prometheus.value("sum(kvorum_requests_seconds_count)"))
                .isGreaterThanOrEqualTo(1);
          });
    }
  }
}
