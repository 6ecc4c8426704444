package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node whose users have limits: who is over them does not take from the others. */
@ExtendWith(PrintsNodeLogs.class)
class UserLimitsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int REQUESTS = 40;
  private static final int BYTES = 1 << 20;

  private static @TempDir Path directory;
  private static NodeWithUsers users;

  @BeforeAll
  static void start() throws IOException {
    users = new NodeWithUsers(directory, Map.of());
    write("[]");
    users.node().launch().awaitReady();
  }

  /** The rules of one user change each time, so that the file is another. */
  private static void write(String rulesOfOther) throws IOException {
    String all = "\"rules\": [{\"prefix\": \"\", \"verbs\": [\"get\", \"put\", \"range\"]}]";
    users.write(
        """
        {"users": [
          {"name": "free", "tokenSha256": "HASH(free)", ALL, "observer": true},
          {"name": "busy", "tokenSha256": "HASH(busy)", ALL, "limits": {"requestsPerSecond": %d}},
          {"name": "bulk", "tokenSha256": "HASH(bulk)", ALL, "limits": {"bytesInFlight": %d}},
          {"name": "other", "tokenSha256": "HASH(other)", "rules": %s}
        ]}
        """
            .replace("ALL", all)
            .formatted(REQUESTS, BYTES, rulesOfOther));
  }

  @AfterAll
  static void stop() {
    users.close();
  }

  private static HttpResponse<byte[]> send(String method, String path, String user) {
    return users.send(method, path, user);
  }

  private static double rejected(String limit) {
    String series = "kvorum_auth_limited_total{";
    Client management = users.node().management();
    return Client.text(NodeWithUsers.send(management, "/actuator/prometheus", "GET", "free"))
        .lines()
        .filter(line -> line.startsWith(series) && line.contains("limit=\"" + limit + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aUserOverItsRequestsWaitsAndTheOthersDoNot() throws IOException {
    double before = rejected("requests");
    int served = 0;
    while (send("GET", "entities?prefix=none", "busy").statusCode() == 200) {
      served++;
      assertThat(served).isLessThan(50 * REQUESTS);
    }
    assertThat(served).isGreaterThanOrEqualTo(REQUESTS);
    assertThat(rejected("requests")).isGreaterThan(before);
    assertThat(send("GET", "entity?id=none", "free").statusCode()).isEqualTo(404);
    await().atMost(TIMEOUT).until(() -> send("GET", "entity?id=none", "busy").statusCode() == 404);
    HttpResponse<byte[]> last;
    do {
      last = send("GET", "explain?id=none", "busy");
    } while (last.statusCode() == 200);
    assertProblem(last, 429, "user-limit");
    assertThat(last.headers().firstValue("retry-after")).hasValue("1");
    assertThat(send("DELETE", "entity?id=none", "busy").statusCode())
        .as("what is not allowed is not counted")
        .isEqualTo(403);
  }

  /** Begins to send a value of a user, which has memory from then on. */
  private static RawConnection holdBytes(int bytes) throws IOException {
    RawConnection connection = new RawConnection(users.node());
    return connection.send(
        "PUT /v0/entity?id=held HTTP/1.1\r\nHost: k\r\nAuthorization: Bearer bulk\r\nContent-Length: "
            + bytes
            + "\r\n\r\nv");
  }

  private static void awaitStatus(int status, String method, String path) {
    await().atMost(TIMEOUT).until(() -> send(method, path, "bulk").statusCode() == status);
  }

  @Test
  void aUserWithTooManyBytesWaitsAndTheOthersDoNot() throws IOException {
    double before = rejected("bytes");
    try (RawConnection held = holdBytes(BYTES)) {
      for (String path : new String[] {"entity?id=bulk", "entities?prefix=b", "explain?id=bulk"}) {
        awaitStatus(429, "GET", path);
        assertProblem(send("GET", path, "bulk"), 429, "user-limit");
      }
      assertProblem(send("PUT", "entity?id=bulk", "bulk"), 429, "user-limit");
      assertThat(send("PUT", "entity?id=bulk", "free").statusCode()).isEqualTo(201);
      write("[{\"prefix\": \"x\", \"verbs\": [\"get\"]}]");
      await().atMost(TIMEOUT).until(() -> send("GET", "entity?id=x", "other").statusCode() == 404);
      assertProblem(send("PUT", "entity?id=bulk", "bulk"), 429, "user-limit");
      held.send(new byte[BYTES - 1]);
      assertThat(held.read().status()).isEqualTo(201);
    }
    awaitStatus(201, "PUT", "entity?id=bulk");
    assertThat(rejected("bytes")).isGreaterThan(before);
    holdBytes(BYTES).close();
    awaitStatus(201, "PUT", "entity?id=bulk");
  }

  @Test
  void aValueThatIsTooMuchBesideOthersIsRejectedOnceItHasCome() throws IOException {
    Client client = users.node().client();
    assertThat(
            client
                .send(
                    client
                        .entity("large", "")
                        .PUT(BodyPublishers.ofByteArray(new byte[BYTES / 2]))
                        .header("Authorization", "Bearer free"))
                .statusCode())
        .isEqualTo(201);
    try (RawConnection held = holdBytes(BYTES / 2)) {
      awaitStatus(429, "GET", "entity?id=large");
      assertThat(send("GET", "entity?id=absent", "bulk").statusCode()).isEqualTo(404);
      held.send(new byte[BYTES / 2 - 1]);
      assertThat(held.read().status()).isEqualTo(201);
    }
    awaitStatus(200, "GET", "entity?id=large");
  }
}
