package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.security.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node with users: who may send what, and what the others are told. */
@ExtendWith(PrintsNodeLogs.class)
class UsersIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final X509Bundle CA = TestCertificates.authority();
  private static final int FAILURES_RATE = 50;

  private static @TempDir Path directory;
  private static NodeWithUsers users;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws IOException {
    Path tls = directory.resolve("tls");
    TestCertificates.write(tls, TestCertificates.issued(CA, Duration.ofDays(30)));
    TestCertificates.writeClientsCa(tls, CA);
    Map<String, String> settings =
        Map.of(
            "kvorum.tls.dir",
            tls.toString(),
            "kvorum.tls.http",
            "permissive",
            "kvorum.tls.client-auth",
            "optional",
            "kvorum.auth.failures-rate",
            Integer.toString(FAILURES_RATE));
    users = new NodeWithUsers(directory, settings);
    write("put");
    node = users.node();
    node.launch().awaitReady();
    assertThat(send("PUT", "entity?id=app/1", "admin").statusCode()).isEqualTo(201);
    assertThat(send("PUT", "entity?id=other/1", "admin").statusCode()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    users.close();
  }

  /** Users of whom one may read all keys under a prefix, and do one thing more. */
  private static void write(String more) throws IOException {
    users.write(
        """
        {"users": [
          {"name": "admin", "tokenSha256": "HASH(admin)",
            "rules": [{"prefix": "", "verbs": ["get", "put", "delete", "range"]}]},
          {"name": "app", "tokenSha256": "HASH(app)",
            "rules": [{"prefix": "app/", "verbs": ["get", "range", "%s"]}]},
          {"name": "watch", "tokenSha256": "HASH(watch)", "observer": true, "rules": []},
          {"name": "job", "clientCertificate": "localhost",
            "rules": [{"prefix": "job/", "verbs": ["put"]}]}
        ]}
        """
            .formatted(more));
  }

  private static HttpResponse<byte[]> send(String method, String path, String... tokens) {
    return users.send(method, path, tokens);
  }

  @Test
  void withoutCredentialsNothingIsServed() {
    for (String path : new String[] {"entity?id=app/1", "entities?prefix=", "explain?id=app/1"}) {
      HttpResponse<byte[]> response = send("GET", path);
      assertProblem(response, 401, "unauthenticated");
      assertThat(response.headers().firstValue("www-authenticate"))
          .hasValue("Bearer realm=\"kvorum\"");
    }
    assertProblem(send("PUT", "entity?id=app/1"), 401, "unauthenticated");
    assertThat(node.management().path("/actuator/health/readiness").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, entity?id=app/1, 200",
    "HEAD, entity?id=app/1, 200",
    "GET, entity?id=app/absent, 404",
    "PUT, entity?id=app/2, 201",
    "DELETE, entity?id=app/1, 403",
    "GET, entity?id=other/1, 403",
    "GET, entity?id=app, 403",
    "HEAD, entity?id=other/1, 403",
    "PUT, entity?id=other/1, 403",
    "GET, explain?id=app/1, 200",
    "GET, explain?id=other/1, 403",
    "GET, entities?prefix=app/, 200",
    "GET, entities?prefix=app/&count=true, 200",
    "GET, entities?prefix=app, 403",
    "GET, entities?prefix=, 403",
    "GET, entities?start=app/&end=app0, 200",
    "GET, entities?start=app/&end=app00, 403",
    "GET, entities?start=app/, 403",
    "GET, entities?prefix=app/&scope=node, 200",
    "HEAD, entities?prefix=other, 403",
  })
  void aUserMayDoWhatItsRulesSay(String method, String path, int status) {
    assertThat(send(method, path, "app").statusCode()).isEqualTo(status);
  }

  @Test
  void theOthersAreToldNothingAboutTheKey() {
    HttpResponse<byte[]> there = send("GET", "entity?id=other/1", "app");
    HttpResponse<byte[]> absent = send("GET", "entity?id=other/absent", "app");
    assertProblem(there, 403, "not-allowed");
    assertThat(there.body()).isEqualTo(absent.body());
    assertThat(there.headers().map()).doesNotContainKey("etag");
    HttpResponse<byte[]> condition =
        node.client()
            .send(
                node.client()
                    .entity("other/1", "")
                    .header("Authorization", "Bearer app")
                    .header("If-None-Match", "*"));
    assertProblem(condition, 403, "not-allowed");
  }

  @Test
  void wrongCredentialsAreRejectedAndCounted() {
    assertProblem(send("GET", "entity?id=app/1", "app", "app"), 401, "unauthenticated");
    assertProblem(
        send("GET", "entity?id=app/1", NodeWithUsers.hash("app")), 401, "unauthenticated");
    assertProblem(send("GET", "entity?id=app/1", ""), 401, "unauthenticated");
    int rejected = 0;
    while (send("GET", "entity?id=app/1", "guess " + rejected).statusCode() == 401) {
      rejected++;
      assertThat(rejected).isLessThan(20 * FAILURES_RATE);
    }
    HttpResponse<byte[]> response = send("GET", "entity?id=app/1", "guess");
    if (response.statusCode() != 401) {
      assertProblem(response, 429, "too-many-failures");
      assertThat(response.headers().firstValue("retry-after")).hasValue("1");
    }
    await().atMost(TIMEOUT).until(() -> send("GET", "entity?id=app/1", "app").statusCode() == 200);
  }

  @Test
  void aConnectionIsNobodysButThatOfEachRequest() throws IOException {
    try (RawConnection connection = new RawConnection(node)) {
      for (String token : new String[] {"app", "admin", "app", "wrong", "app"}) {
        connection.send(
            "GET /v0/entity?id=other/1 HTTP/1.1\r\nHost: k\r\nAuthorization: bearer "
                + token
                + "\r\n\r\n");
        int expected =
            switch (token) {
              case "admin" -> 200;
              case "app" -> 403;
              default -> 401;
            };
        assertThat(connection.read().status()).as(token).isEqualTo(expected);
      }
      connection.send("GET /v0/entity?id=other/1 HTTP/1.1\r\nHost: k\r\n\r\n");
      assertThat(connection.read().status()).as("without").isEqualTo(401);
    }
  }

  @Test
  void aValueIsNotReadBeforeItsSenderIsKnown() throws IOException {
    String head = "PUT /v0/entity?id=app/1 HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\n";
    try (RawConnection connection = new RawConnection(node)) {
      connection.send(head + "Expect: 100-continue\r\n\r\n");
      assertThat(connection.read().status()).isEqualTo(401);
      assertThat(connection.isClosedByNode()).as("a body may follow or not").isTrue();
    }
    try (RawConnection connection = new RawConnection(node)) {
      connection.send(head + "\r\nwrong");
      assertThat(connection.read().status()).isEqualTo(401);
      connection.send(head + "Authorization: Bearer app\r\n\r\nright");
      assertThat(connection.read().status()).as("on the same connection").isEqualTo(201);
    }
    assertThat(Client.text(send("GET", "entity?id=app/1", "app"))).isEqualTo("right");
  }

  @Test
  void stateAndMetricsAreForObservers() {
    Client management = node.management();
    for (String path :
        new String[] {"/actuator/kvorum", "/actuator/prometheus", "/console/slots"}) {
      assertThat(NodeWithUsers.send(management, path, "GET").statusCode()).isEqualTo(401);
      assertThat(NodeWithUsers.send(management, path, "GET", "guess").statusCode()).isEqualTo(401);
      assertThat(NodeWithUsers.send(management, path, "GET", "app").statusCode()).isEqualTo(403);
      assertThat(NodeWithUsers.send(management, path, "GET", "watch").statusCode()).isEqualTo(200);
    }
    for (String path : new String[] {"/actuator/health/../kvorum", "/actuator/healthy"}) {
      assertThat(NodeWithUsers.send(management, path, "GET").statusCode()).as(path).isEqualTo(401);
    }
    for (String path : new String[] {"/", "/console/console.js", "/actuator/health"}) {
      assertThat(NodeWithUsers.send(management, path, "GET").statusCode()).isEqualTo(200);
    }
    assertThat(NodeWithUsers.send(management, "/actuator/kvorum/4", "DELETE", "watch").statusCode())
        .isEqualTo(403);
  }

  @Test
  void theConsoleHandsCredentialsOn() {
    Client management = node.management();
    assertProblem(
        NodeWithUsers.send(management, "/console/entity?id=app/1", "GET"), 401, "unauthenticated");
    assertThat(
            NodeWithUsers.send(management, "/console/entity?id=app/1", "GET", "app").statusCode())
        .isEqualTo(200);
    assertThat(
            NodeWithUsers.send(management, "/console/entity?id=other/1", "PUT", "app").statusCode())
        .isEqualTo(403);
  }

  @Test
  void aClientCertificateIsAUser() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    X509Bundle own = TestCertificates.issued(CA, Duration.ofDays(1));
    KeyManager[] keys = own.toKeyManagerFactory().getKeyManagers();
    context.init(keys, CA.toTrustManagerFactory().getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      assertThat(overTls(client, "job/1", "").statusCode()).isEqualTo(201);
      assertThat(overTls(client, "app/1", "").statusCode()).isEqualTo(403);
      assertThat(overTls(client, "app/1", "Bearer app").statusCode())
          .as("a token comes first")
          .isEqualTo(201);
    }
  }

  private static HttpResponse<String> overTls(HttpClient client, String key, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("https://localhost:" + node.httpPort() + "/v0/entity?id=" + key))
            .PUT(BodyPublishers.ofString("v"));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void aChangedRuleWorksOnOpenConnections() throws IOException {
    try {
      assertThat(send("DELETE", "entity?id=app/3", "app").statusCode()).isEqualTo(403);
      write("delete");
      await()
          .atMost(TIMEOUT)
          .until(() -> send("DELETE", "entity?id=app/3", "app").statusCode() == 202);
      assertThat(send("PUT", "entity?id=app/3", "app").statusCode()).isEqualTo(403);
    } finally {
      write("put");
    }
    await().atMost(TIMEOUT).until(() -> send("PUT", "entity?id=app/3", "app").statusCode() == 201);
  }
}
