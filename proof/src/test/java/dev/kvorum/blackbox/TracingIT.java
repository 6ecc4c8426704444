package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.Collector.Taken;
import dev.kvorum.seeds.Seeds;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The spans that three nodes export for the requests that clients trace, and for no others. */
@ExtendWith(PrintsNodeLogs.class)
class TracingIT {
  private static final String CLIENTS_SPAN = "00f067aa0ba902b7";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @TempDir private static Path directory;
  private static final Collector COLLECTOR = new Collector();
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        new Cluster(
            directory,
            Map.of(
                "kvorum.tracing.endpoint", COLLECTOR.endpoint(), "kvorum.cluster.name", "traced"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
    COLLECTOR.close();
  }

  private static String newTrace() {
    Random random = Seeds.random();
    return HexFormat.of().toHexDigits(random.nextLong())
        + HexFormat.of().toHexDigits(random.nextLong() | 1);
  }

  private static HttpRequest.Builder traced(
      HttpRequest.Builder request, String trace, String flags) {
    return request.header("traceparent", "00-" + trace + "-" + CLIENTS_SPAN + "-" + flags);
  }

  private static int put(NodeProcess node, String key, String trace, String flags) {
    HttpRequest.Builder request =
        node.client().entity(key, "&ack=2&from=3").PUT(BodyPublishers.ofString("v"));
    return node.client().send(traced(request, trace, flags)).statusCode();
  }

  private static List<Taken> awaitSpans(String trace, int count) {
    Awaitility.await(count + " spans of " + trace)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(COLLECTOR.spans(trace)).hasSizeGreaterThanOrEqualTo(count));
    return COLLECTOR.spans(trace);
  }

  private static Taken only(List<Taken> spans, SpanKind kind, String name, String node) {
    List<Taken> found =
        spans.stream()
            .filter(
                span -> span.kind() == kind && span.name().equals(name) && span.node().equals(node))
            .toList();
    assertThat(found).as("%s %s of %s among %s", kind, name, node, spans).hasSize(1);
    return found.getFirst();
  }

  @Test
  void aTracedWriteShowsTheCoordinatorItsCallsAndTheReplicas() {
    String trace = newTrace();
    assertThat(put(cluster.node(0), "secret-key", trace, "01")).isEqualTo(201);
    List<Taken> spans = awaitSpans(trace, 5);
    assertThat(spans).hasSize(5);
    Taken request = only(spans, SpanKind.SPAN_KIND_SERVER, "PUT /v0/entity", "kvorum-0");
    assertThat(request.parent()).isEqualTo(CLIENTS_SPAN);
    assertThat(request.attributes())
        .containsEntry("http.request.method", "PUT")
        .containsEntry("http.response.status_code", "201")
        .containsEntry("url.path", "/v0/entity")
        .containsEntry("kvorum.ack", "2")
        .containsEntry("kvorum.from", "3")
        .containsEntry("kvorum.outcome", "stored");
    for (String peer : List.of("kvorum-1", "kvorum-2")) {
      Taken served = only(spans, SpanKind.SPAN_KIND_SERVER, "Replica/Write", peer);
      assertThat(served.attributes()).containsEntry("kvorum.outcome", "stored");
      assertThat(spans)
          .filteredOn(span -> span.id().equals(served.parent()))
          .singleElement()
          .satisfies(call -> {
            assertThat(call.kind()).isEqualTo(SpanKind.SPAN_KIND_CLIENT);
            assertThat(call.node()).isEqualTo("kvorum-0");
            assertThat(call.parent()).isEqualTo(request.id());
            assertThat(call.attributes()).containsEntry("kvorum.peer", peer);
          });
    }
    assertThat(spans)
        .allSatisfy(span ->
            assertThat(span.resource())
                .containsEntry("service.name", "kvorum")
                .containsEntry("kvorum.cluster", "traced"));
    assertThat(spans.toString()).doesNotContain("secret-key");
  }

  @Test
  void whatTheClientDoesNotSampleLeavesNoSpan() {
    String unsampled = newTrace();
    String sampled = newTrace();
    assertThat(put(cluster.node(1), "k", unsampled, "00")).isEqualTo(201);
    assertThat(cluster.node(1).client().put("untraced", "v").statusCode()).isEqualTo(201);
    assertThat(put(cluster.node(1), "k", sampled, "01")).isEqualTo(201);
    awaitSpans(sampled, 5);
    assertThat(COLLECTOR.spans(unsampled)).isEmpty();
    assertThat(COLLECTOR.spans())
        .filteredOn(span -> span.name().contains("entit"))
        .allMatch(span -> span.parent().equals(CLIENTS_SPAN));
  }

  @Test
  void readsAndRangesAreTracedToo() {
    NodeProcess node = cluster.node(1);
    String trace = newTrace();
    String read = "/v0/entity?id=absent&ack=2&from=3";
    assertThat(
            node.client().send(traced(node.client().request(read).GET(), trace, "01")).statusCode())
        .isEqualTo(404);
    String range = "/v0/entities?start=a&end=z";
    assertThat(
            node.client()
                .send(traced(node.client().request(range).GET(), trace, "01"))
                .statusCode())
        .isEqualTo(200);
    Awaitility.await("both requests")
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(COLLECTOR.spans(trace))
                .extracting(Taken::name)
                .contains("GET /v0/entity", "GET /v0/entities"));
    List<Taken> spans = awaitSpans(trace, 4);
    Taken request = only(spans, SpanKind.SPAN_KIND_SERVER, "GET /v0/entity", "kvorum-1");
    assertThat(request.attributes())
        .containsEntry("http.response.status_code", "404")
        .containsEntry("kvorum.outcome", "not-found");
    assertThat(spans)
        .filteredOn(span -> span.name().equals("Replica/Read"))
        .anyMatch(
            span -> span.kind() == SpanKind.SPAN_KIND_CLIENT && span.parent().equals(request.id()));
    assertThat(only(spans, SpanKind.SPAN_KIND_SERVER, "GET /v0/entities", "kvorum-1").attributes())
        .containsEntry("url.path", "/v0/entities")
        .containsEntry("kvorum.outcome", "listed");
  }

  @Test
  void aNodeThatIsAskedToStopSendsWhatItHas() {
    NodeProcess node = cluster.node(2);
    String trace = newTrace();
    assertThat(put(node, "last", trace, "01")).isEqualTo(201);
    node.terminate();
    assertThat(node.awaitExit(Duration.ofSeconds(30))).isZero();
    only(COLLECTOR.spans(trace), SpanKind.SPAN_KIND_SERVER, "PUT /v0/entity", "kvorum-2");
    cluster.launchStopped();
    cluster.awaitComplete();
  }

  @Test
  void aCollectorThatIsAwayCostsALineAndNoRequest() {
    try (NodeProcess node =
        new NodeProcess(
            "lonely",
            directory,
            Ports.free(),
            Map.of(
                "kvorum.tracing.endpoint",
                "http://127.0.0.1:" + Ports.free() + "/v1/traces",
                "kvorum.tracing.sample",
                "1",
                "kvorum.tracing.queue-max",
                "16"))) {
      node.launch().awaitReady();
      Awaitility.await("the line is there")
          .atMost(Duration.ofSeconds(40))
          .pollInterval(Duration.ofMillis(20))
          .untilAsserted(() -> {
            assertThat(node.client().put("k", "v").statusCode()).isEqualTo(201);
            assertThat(node.log()).contains("spans were not accepted by the collector");
          });
      node.terminate();
      assertThat(node.awaitExit(Duration.ofSeconds(30))).isZero();
      assertThat(node.log().lines().filter(line -> line.contains("not accepted")).count())
          .isLessThan(4);
      assertThat(node.log()).doesNotContain("\tat ").doesNotContain("Failed to export");
    }
  }

  @Test
  void aNodeWithoutACollectorLoadsNothingForIt() throws Exception {
    NodeProcess untraced = SharedCluster.get().node(0);
    assertThat(put(untraced, "k", newTrace(), "01")).isEqualTo(201);
    assertThat(untraced.client().put("k", "v").statusCode()).isEqualTo(201);
    assertThat(loadedClasses(untraced))
        .contains("dev.kvorum.tracing.TraceContext")
        .doesNotContain("io.opentelemetry.");
    assertThat(loadedClasses(cluster.node(0))).contains("io.opentelemetry.sdk.trace");
  }

  private static String loadedClasses(NodeProcess node) throws Exception {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(node.pid()),
                "VM.class_hierarchy")
            .redirectErrorStream(true)
            .start();
    String classes = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jcmd.waitFor()).as(classes).isZero();
    return classes;
  }
}
