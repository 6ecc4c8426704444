package dev.kvorum.blackbox;

import static org.awaitility.Awaitility.await;

import dev.kvorum.auth.serviceaccount.TokenIssuer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Provokes the answers of a node with users that are described: it rejects them in each way. */
final class DescribedRejections {
  private static final Map<String, List<String>> PUBLIC =
      Map.of(
          "/v0/entity?id=k", List.of("GET", "HEAD", "PUT", "DELETE"),
          "/v0/entities?prefix=", List.of("GET", "HEAD"),
          "/v0/explain?id=k", List.of("GET", "HEAD"));
  private static final Map<String, List<String>> MANAGEMENT =
      Map.of(
          "/actuator",
          List.of("GET"),
          "/actuator/prometheus",
          List.of("GET"),
          "/actuator/kvorum",
          List.of("GET"),
          "/actuator/backup",
          List.of("GET"),
          DescribedBackups.BACKUP,
          List.of("POST", "DELETE"),
          "/actuator/restore",
          List.of("GET"),
          DescribedBackups.RESTORE,
          List.of("POST", "DELETE"),
          "/actuator/kvorum/lost-key-ranges",
          List.of("DELETE"));

  private final OpenApi api;

  DescribedRejections(OpenApi api) {
    this.api = api;
  }

  void ask(Path directory) throws Exception {
    try (TokenIssuer unreachable = new TokenIssuer();
        NodeWithUsers users =
            new NodeWithUsers(directory, Map.of("kvorum.auth.failures-rate", "1"))) {
      users.takeServiceAccounts("openapi");
      users.write(
          """
          {"users": [{"name": "idle", "tokenSha256": "HASH(secret)", "rules": []},
            {"name": "account", "serviceAccount": "shop/api", "rules": []},
            {"name": "busy", "tokenSha256": "HASH(busy)", "limits": {"requestsPerSecond": 1},
              "rules": [{"prefix": "", "verbs": ["get", "put", "delete", "range"]}]}]}
          """);
      String unchecked = unreachable.token("shop:api", "openapi", Duration.ofHours(1));
      users.node().launch().awaitReady();
      Client node = users.node().client();
      PUBLIC.forEach((path, methods) ->
          methods.forEach(method -> {
            expect(node, 429, "busy", method, path);
            expectAll(node, unchecked, method, path);
          }));
      MANAGEMENT.forEach((path, methods) ->
          methods.forEach(method -> expectAll(users.node().management(), unchecked, method, path)));
    }
  }

  private void expectAll(Client node, String unchecked, String method, String path) {
    expect(node, 401, "", method, path);
    expect(node, 403, "secret", method, path);
    expect(node, 503, unchecked, method, path);
    expect(node, 429, "wrong", method, path);
  }

  private void expect(Client node, int status, String token, String method, String path) {
    String[] headers =
        token.isEmpty() ? new String[0] : new String[] {"Authorization", "Bearer " + token};
    await().until(() -> api.send(node, method, path, headers).statusCode() == status);
  }
}
