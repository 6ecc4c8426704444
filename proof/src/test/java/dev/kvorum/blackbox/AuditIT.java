package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a node with users writes to its audit log. */
@ExtendWith(PrintsNodeLogs.class)
class AuditIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static @TempDir Path directory;
  private static NodeWithUsers users;

  @BeforeAll
  static void start() throws IOException {
    users =
        new NodeWithUsers(
            directory,
            Map.of(
                "kvorum.audit.file", file().toString(), "kvorum.audit.writes", "app/audited,none"));
    users.write(
        """
        {"users": [{"name": "app", "tokenSha256": "HASH(app)",
            "rules": [{"prefix": "app/", "verbs": ["get", "put"]}]},
          {"name": "root", "tokenSha256": "HASH(root)", "administrator": true, "rules": []}]}
        """);
    users.node().launch().awaitReady();
  }

  @AfterAll
  static void stop() {
    users.close();
  }

  private static Path file() {
    return directory.resolve("audit.log");
  }

  /** The first line that has all of these parts, once there is one. */
  private static String awaitAudited(String... parts) {
    return await()
        .atMost(TIMEOUT)
        .until(
            () ->
                Files.readAllLines(file()).stream()
                    .filter(line -> Stream.of(parts).allMatch(line::contains))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  @Test
  void whoIsRejectedIsInTheAuditLog() {
    users.send("GET", "entity?id=other/rejected", "app");
    assertThat(awaitAudited("\"key\":\"other/rejected\""))
        .contains("\"event\":\"denied\",\"user\":\"app\",\"address\":\"127.0.0.1\"")
        .contains("\"operation\":\"get\"", "\"status\":403,\"outcome\":\"not-allowed\"}");
    users.send("GET", "entities?start=other/a&end=other/b", "app");
    awaitAudited("\"operation\":\"range\"", "\"from\":\"other/a\"", "\"before\":\"other/b\"");
    users.send("DELETE", "entity?id=%22nobody%0A");
    assertThat(awaitAudited("\"key\":\"\\\"nobody\\n\""))
        .contains(
            "\"event\":\"denied\",\"address\"", "\"operation\":\"delete\",", "\"status\":401");
    users.send("PUT", "entity?id=app/guessed", "a guess");
    assertThat(awaitAudited("\"key\":\"app/guessed\""))
        .contains("\"event\":\"credentials\",\"address\"", "\"operation\":\"put\"")
        .doesNotContain("\"user\"");
    assertThat(file()).content().doesNotContain("a guess");
    NodeWithUsers.send(users.node().management(), "/actuator/kvorum", "GET", "app");
    assertThat(awaitAudited("\"GET /actuator/kvorum\""))
        .contains("\"event\":\"denied\",\"user\":\"app\"", "\"status\":403");
  }

  @Test
  void chosenWritesAndAdministrationAreInTheAuditLog() {
    users.send("PUT", "entity?id=app/plain", "app");
    users.send("PUT", "entity?id=app/audited/1", "app");
    assertThat(awaitAudited("\"key\":\"app/audited/1\""))
        .contains("\"event\":\"write\",\"user\":\"app\"", "\"operation\":\"put\"")
        .contains("\"status\":201,\"outcome\":\"stored\"}");
    users.send("PUT", "entity?id=app/audited/2&ack=9", "app");
    awaitAudited("\"key\":\"app/audited/2\"", "\"status\":400,\"outcome\":\"invalid-quorum\"}");
    users.send("GET", "entity?id=app/audited/1", "app");
    NodeWithUsers.send(users.node().management(), "/console/entity?id=app/console", "PUT", "app");
    assertThat(awaitAudited("\"operation\":\"PUT /console/entity\"", "\"key\":\"app/console\""))
        .contains("\"event\":\"administration\",\"user\":\"app\"")
        .contains("\"status\":201,\"outcome\":\"ok\"}");
    String actuator = "/actuator/kvorum/";
    for (String token : List.of("root", "app", "a guess")) {
      NodeWithUsers.send(users.node().management(), actuator + token.length(), "DELETE", token);
    }
    String ofRoot = "\"DELETE /actuator/kvorum/4\",\"status\":400";
    assertThat(awaitAudited(ofRoot)).contains("\"user\":\"root\"");
    awaitAudited("\"user\":\"app\"", "\"DELETE /actuator/kvorum/3\",\"status\":403");
    awaitAudited("\"DELETE /actuator/kvorum/7\",\"status\":401");
    NodeWithUsers.send(users.node().management(), actuator + "lost-key-ranges", "DELETE", "root");
    awaitAudited("\"operation\":\"DELETE /actuator/kvorum/lost-key-ranges\",\"status\":200");
    assertThat(file())
        .content()
        .doesNotContain("app/plain")
        .doesNotContain("\"operation\":\"get\",\"key\":\"app/audited/1\"");
  }

  private static void restart(String file) {
    users.node().terminate();
    users.node().awaitExit(TIMEOUT);
    users.node().set("kvorum.audit.file", file).launch().awaitReady();
  }

  @Test
  void whatWaitsIsWrittenBeforeTheNodeStops() {
    restart("");
    users.send("GET", "entity?id=standard/output", "app");
    restart(file().toString());
    String log = users.node().log();
    assertThat(log.lines())
        .as("the default is standard output")
        .anyMatch(line ->
            line.startsWith("{\"logger\":\"kvorum.audit\",")
                && line.contains("\"key\":\"standard/output\"")
                && line.endsWith("\"status\":403,\"outcome\":\"not-allowed\"}"));
  }
}
