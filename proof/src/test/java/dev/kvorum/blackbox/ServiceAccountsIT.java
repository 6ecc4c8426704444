package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.auth.serviceaccount.TokenIssuer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A node whose users are ServiceAccounts, with what it needs of an API server. */
@ExtendWith(PrintsNodeLogs.class)
class ServiceAccountsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String AUDIENCE = "kvorum.dev/shop/store";
  private static final Duration HOUR = Duration.ofHours(1);

  private static @TempDir Path directory;
  private static TokenIssuer issuer;
  private static NodeWithUsers users;
  private static NodeProcess node;

  @BeforeAll
  static void start() throws Exception {
    issuer = new TokenIssuer();
    users = new NodeWithUsers(directory, Map.of());
    users.takeServiceAccounts(AUDIENCE);
    users.write(
        """
        {"users": [
          {"name": "app", "tokenSha256": "HASH(app)", "rules": []},
          {"name": "api", "serviceAccount": "shop/api", "administrator": true,
            "rules": [{"prefix": "api/", "verbs": ["get", "put"]}]}
        ]}
        """);
    node = users.node().useApiServer(issuer.url());
    node.launch().awaitReady();
  }

  @AfterAll
  static void stop() {
    users.close();
    issuer.close();
  }

  @Test
  void aServiceAccountIsAUser() throws Exception {
    String token = issuer.token("shop:api", AUDIENCE, HOUR);
    try (RawConnection connection = new RawConnection(node)) {
      // The value comes while the token is checked.
      connection.send(
          "PUT /v0/entity?id=api/1 HTTP/1.1\r\nHost: k\r\nContent-Length: 5\r\nAuthorization: Bearer "
              + token
              + "\r\n\r\nright");
      assertThat(connection.read().status()).isEqualTo(201);
    }
    assertThat(Client.text(users.send("GET", "entity?id=api/1", token))).isEqualTo("right");
    assertProblem(users.send("GET", "entity?id=app/1", token), 403, "not-allowed");
    assertThat(users.send("GET", "explain?id=api/1", token).statusCode()).isEqualTo(200);
    assertProblem(users.send("GET", "entities?prefix=api/", token), 403, "not-allowed");

    for (String wrong :
        new String[] {
          issuer.token("shop:other", AUDIENCE, HOUR),
          issuer.token("shop:api", "kvorum.dev/shop/another", HOUR),
          issuer.token("shop:api", AUDIENCE, Duration.ZERO),
          issuer.token("shop:api", AUDIENCE, HOUR.plusSeconds(1)),
          token + "x",
        }) {
      assertProblem(users.send("GET", "entity?id=api/1", wrong), 401, "unauthenticated");
    }
  }

  @Test
  void anOpenConnectionEndsWithItsToken() throws Exception {
    String token = issuer.token("shop:api", AUDIENCE, Duration.ofSeconds(2));
    String get =
        "GET /v0/entity?id=api/absent HTTP/1.1\r\nHost: k\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(token);
    try (RawConnection connection = new RawConnection(node)) {
      connection.send(get);
      assertThat(connection.read().status()).isEqualTo(404);
      await()
          .atMost(TIMEOUT)
          .until(() -> {
            connection.send(get);
            return connection.read().status() == 401;
          });
    }
  }

  @Test
  void anAdministratorMayBeAServiceAccount() throws Exception {
    Client management = node.management();
    String token = issuer.token("shop:api", AUDIENCE, HOUR);
    String wrong = issuer.token("shop:api", "another", HOUR);
    String path = "/actuator/kvorum/4";
    assertThat(NodeWithUsers.send(management, path, "DELETE", "app").statusCode()).isEqualTo(403);
    assertThat(NodeWithUsers.send(management, path, "DELETE", wrong).statusCode()).isEqualTo(401);
    assertThat(NodeWithUsers.send(management, path, "DELETE", token).statusCode())
        .as("it may, but there is no such operation")
        .isEqualTo(400);
  }
}
