package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Compares nodes' responses with those that the API's description allows. */
@ExtendWith(PrintsNodeLogs.class)
class OpenApiIT {
  private static final NodeProcess NODE = SharedCluster.get().node(1);
  private static final String LOSS = "/actuator/kvorum/none";
  private static final int VALUE_MAX = 1 << 20;
  private static final String NDJSON = "application/x-ndjson";

  /** Needs a broken store or a full disk; other tests do that. */
  private static final Set<String> NOT_PROVOKED =
      Set.of(
          "GET /v0/entity 500",
          "HEAD /v0/entity 500",
          "PUT /v0/entity 500",
          "PUT /v0/entity 507",
          "DELETE /v0/entity 500",
          "GET /v0/entities 500",
          "GET /v0/explain 500",
          "HEAD /v0/explain 500",
          "GET /actuator/health 503",
          "GET /actuator/health/{group} 503");

  private final OpenApi api = OpenApi.read();
  private final String key = "k-" + Seeds.uuid();

  @Test
  void everyAnswerThatIsDescribedIsGiven(@TempDir Path directory) throws Exception {
    askHealthyNode();
    askManagement(NODE.management());
    new DescribedBackups(api).ask(NODE.management());
    askInSilence();
    askLoneNode(directory);
    new DescribedRejections(api).ask(Files.createDirectory(directory.resolve("users")));

    Set<String> missing = new TreeSet<>(api.described());
    missing.removeAll(api.seen());
    assertThat(missing).isEqualTo(new TreeSet<>(NOT_PROVOKED));
  }

  /**
   * An endpoint answers on another thread than the connection's, so that the next request may come
   * before the last one has ended; Reactor Netty 1.3.7 then read no more (reactor-netty#4361).
   */
  @Test
  void managementAnswersEveryRequestOfAConnection() {
    for (int i = 0; i < 300; i++) {
      assertThat(api.send(NODE.management(), "DELETE", LOSS).statusCode()).isEqualTo(400);
      assertThat(api.send(NODE.management(), "GET", "/actuator").statusCode()).isEqualTo(200);
    }
  }

  private void askHealthyNode() {
    String entity = "/v0/entity?id=" + key;
    String version = etag(expect(201, "PUT", entity + "&ttl=3600000&ack=3&from=3"));
    for (String method : List.of("GET", "HEAD")) {
      expect(
          200,
          method,
          entity,
          "traceparent",
          "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-00");
      expect(304, method, entity, "If-None-Match", version);
      expect(400, method, "/v0/entity?id=");
      expect(404, method, entity + "-none");
      expect(200, method, "/v0/entities?start=" + key);
      expect(200, method, "/v0/entities?start=" + key, "Accept", NDJSON);
      String lines = "/v0/entities?prefix=&scope=node&format=ndjson";
      expect(200, method, lines, "Accept-Encoding", "gzip");
      expect(200, method, "/v0/entities?prefix=&format=ndjson&values=false");
      expect(200, method, "/v0/entities?prefix=&count=true");
      expect(406, method, "/v0/entities?prefix=k", "Accept", "image/png");
      expect(400, method, "/v0/entities?start=" + key + "&limit=0");
      expect(200, method, "/v0/explain?id=" + key);
      expect(400, method, "/v0/explain?id=" + key + "&ack=4");
    }
    HttpResponse<byte[]> large = NODE.client().put(key, new byte[VALUE_MAX + 1], "");
    assertThat(api.check(large).statusCode()).isEqualTo(413);
    expect(400, "PUT", entity + "&ttl=0");
    expect(400, "DELETE", entity + "&ttl=1");
    expect(202, "DELETE", entity);
    for (String path : List.of(entity, "/v0/entities?start=k", "/v0/explain?id=k")) {
      expect(405, "POST", path);
      expect(405, "OPTIONS", path);
    }
    expect(400, "GET", "/v0/entity/" + key);
    expect(400, "DELETE", "/");
  }

  private void askManagement(Client management) {
    for (String path :
        List.of(
            "/actuator",
            "/actuator/health",
            "/actuator/health/liveness",
            "/actuator/health/readiness",
            "/actuator/prometheus",
            "/actuator/kvorum",
            "/actuator/backup",
            "/actuator/restore")) {
      assertThat(api.send(management, "GET", path).statusCode()).as(path).isEqualTo(200);
      assertThat(api.send(management, "POST", path).statusCode()).as(path).isEqualTo(405);
      assertThat(api.send(management, "GET", path, "Accept", "image/png").statusCode())
          .as(path)
          .isEqualTo(406);
    }
    api.send(
        management,
        "GET",
        "/actuator/prometheus",
        "Accept",
        "application/openmetrics-text;version=1.0.0");
    api.send(management, "GET", "/actuator/kvorum", "Accept", "application/json");
    assertThat(api.send(management, "GET", "/actuator/health/none").statusCode()).isEqualTo(404);
    assertThat(api.send(management, "DELETE", LOSS).statusCode()).isEqualTo(400);
    assertThat(api.send(management, "DELETE", "/actuator/kvorum/lost-key-ranges").statusCode())
        .isEqualTo(200);
    assertThat(
            api.send(
                    management, "DELETE", "/actuator/kvorum/lost-key-ranges", "Accept", "image/png")
                .statusCode())
        .isEqualTo(406);
  }

  /** A value that does not come. */
  private void askInSilence() throws IOException {
    try (RawConnection connection = new RawConnection(NODE)) {
      String path = "/v0/entity?id=" + key;
      RawConnection.Response answer =
          connection
              .send("PUT " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n")
              .read();
      assertThat(answer.status()).isEqualTo(408);
      api.check(new OpenApi.Answer("PUT", "/v0/entity", 408, answer.headers(), answer.body()));
    }
  }

  /** A node whose peers are not there, which has memory for one value less than the largest. */
  private void askLoneNode(Path directory) {
    int port = Ports.free();
    String peers =
        "kvorum-0=localhost:%d,kvorum-1=localhost:%d,kvorum-2=localhost:%d"
            .formatted(port, Ports.free(), Ports.free());
    Map<String, String> settings =
        Map.of(
            "kvorum.cluster.peers",
            peers,
            "kvorum.limits.in-flight-memory",
            (VALUE_MAX + 1) + "B",
            "kvorum.limits.startup-peers",
            "100ms",
            "kvorum.range.page-timeout",
            "500ms");
    try (NodeProcess lone = new NodeProcess("kvorum-0", directory, port, settings)) {
      Client client = lone.launch().awaitReady().client();
      new DescribedBackups(api).askRestoring(lone);
      for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
        assertThat(api.send(client, method, "/v0/entity?id=k").statusCode())
            .as(method)
            .isEqualTo(504);
      }
      assertThat(api.send(client, "GET", "/v0/entities?start=k").statusCode()).isEqualTo(504);
      for (String method : List.of("GET", "HEAD")) {
        assertThat(api.send(client, method, "/v0/entities?prefix=k&reverse=true").statusCode())
            .as("before it has met its peers")
            .isEqualTo(501);
      }
      assertThat(api.check(client.put("k", new byte[VALUE_MAX], "")).statusCode()).isEqualTo(503);
      assertThat(api.send(lone.management(), "DELETE", "/actuator/kvorum/lost-disks").statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void whatIsNotHttpIsAnsweredAsDescribed() throws IOException {
    for (String head :
        List.of(
            "GET /v0/entity?id=k HTTP/1.1\r\n\r\n",
            "GET /v0/entity?id=" + "k".repeat(20_000) + " HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")) {
      try (RawConnection connection = new RawConnection(NODE)) {
        api.checkMalformed(connection.send(head).read());
      }
    }
    assertThat(api.seen()).containsExactly("any request 400", "any request 414", "any request 431");
  }

  @Test
  void anyRequestIsAnsweredAsDescribed() {
    long seed = Seeds.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      String method =
          any(random, List.of("GET", "GET", "HEAD", "PUT", "DELETE", "POST", "OPTIONS"));
      String path = any(random, List.of("/v0/entity", "/v0/entity", "/v0/entities", "/v0/keys"));
      List<String> values =
          List.of("", "0", "1", "2", "3", "-1", "9999999999", "x", "node", "%ff", "%", "%20");
      String query =
          random
              .ints(random.nextInt(5), 0, 10)
              .mapToObj(
                  List.of(
                          "id", "id", "ack", "from", "ttl", "start", "end", "limit", "scope",
                          "resume")
                      ::get)
              .map(name -> name + "=" + any(random, values))
              .collect(Collectors.joining("&"));
      String accept = any(random, List.of("*/*", NDJSON, "text/html"));
      try {
        api.send(
            NODE.client(),
            method,
            path + "?" + query.replace("%&", "%25&").replaceAll("%$", ""),
            "Accept",
            accept);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + method + " " + path + "?" + query, e);
      }
    }
  }

  private static <T> T any(Random random, List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private HttpResponse<byte[]> expect(int status, String method, String path, String... headers) {
    HttpResponse<byte[]> response = api.send(NODE.client(), method, path, headers);
    assertThat(response.statusCode()).as("%s %s", method, path).isEqualTo(status);
    return response;
  }

  private static String etag(HttpResponse<byte[]> response) {
    return response.headers().firstValue("etag").orElse("");
  }
}
