package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Asks for each answer to orders of backups and restores that the description has. */
final class DescribedBackups {
  static final String BACKUP = "/actuator/backup/20261128T181239Z-0a1b2c3d";
  static final String RESTORE = "/actuator/restore/20261128T181239Z-0a1b2c3d";

  private final OpenApi api;

  DescribedBackups(OpenApi api) {
    this.api = api;
  }

  /** Orders a node with records, whose part waits for an object store that does not answer. */
  void ask(Client management) throws IOException {
    for (String path : List.of(BACKUP, RESTORE)) {
      assertThat(api.send(management, "GET", path).statusCode()).isEqualTo(405);
      assertThat(api.send(management, "POST", path).statusCode()).isEqualTo(415);
      assertThat(order(management, path, "{}").statusCode()).isEqualTo(400);
      assertThat(api.send(management, "DELETE", path, "Accept", "image/png").statusCode())
          .isEqualTo(406);
    }
    String began = "{\"began\": \"2026-11-28T18:12:39Z\"}";
    assertThat(order(management, BACKUP, began).statusCode()).isEqualTo(200);
    assertThat(order(management, BACKUP, began, "Accept", "image/png").statusCode()).isEqualTo(406);
    assertThat(order(management, RESTORE, "{\"newestStamp\": 1}").statusCode()).isEqualTo(409);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String waiting =
          """
          {"store": "s3://bucket?endpoint=http://localhost:%d", "epoch": 1,
            "accessKeyId": "id", "secretAccessKey": "secret"}
          """
              .formatted(silent.getLocalPort());
      assertThat(order(management, BACKUP, waiting).statusCode()).isEqualTo(200);
      String other = BACKUP.replace("0a1b2c3d", "4e5f6a7b");
      assertThat(order(management, other, waiting).statusCode()).isEqualTo(409);
      assertThat(api.send(management, "GET", "/actuator/backup").statusCode()).isEqualTo(200);
      assertThat(api.send(management, "DELETE", BACKUP).statusCode()).isEqualTo(200);
    }
  }

  /** Prepares an empty node for a backup, and lets it serve again. */
  void askRestoring(NodeProcess empty) {
    Client management = empty.management();
    String prepare = "{\"newestStamp\": 1}";
    assertThat(order(management, RESTORE, prepare).statusCode()).isEqualTo(200);
    assertThat(order(management, RESTORE, prepare, "Accept", "image/png").statusCode())
        .isEqualTo(406);
    for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
      HttpResponse<byte[]> rejected = api.send(empty.client(), method, "/v0/entity?id=k");
      assertThat(rejected.statusCode()).isEqualTo(503);
      if (!method.equals("HEAD")) {
        ProblemAssertions.assertProblem(rejected, 503, "restoring");
      }
    }
    assertThat(api.send(empty.client(), "GET", "/v0/explain?id=k").statusCode()).isEqualTo(503);
    assertThat(api.send(empty.client(), "GET", "/v0/entities?prefix=").statusCode()).isEqualTo(503);
    String other = RESTORE.replace("0a1b2c3d", "4e5f6a7b");
    assertThat(api.send(management, "DELETE", other).statusCode()).isEqualTo(409);
    assertThat(api.send(management, "GET", "/actuator/restore").statusCode()).isEqualTo(200);
    assertThat(api.send(management, "DELETE", RESTORE + "?undo=perhaps").statusCode())
        .isEqualTo(400);
    assertThat(finished(api.send(management, "DELETE", RESTORE + "?undo=true"))).isEmpty();
    assertThat(order(management, RESTORE, prepare).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> restored = api.send(management, "DELETE", RESTORE);
    assertThat(restored.statusCode()).isEqualTo(200);
    assertThat(RESTORE).endsWith("/" + finished(restored));
  }

  private static String finished(HttpResponse<byte[]> restore) {
    return JsonMapper.shared().readTree(restore.body()).path("finished").asString();
  }

  private HttpResponse<byte[]> order(
      Client management, String path, String json, String... headers) {
    HttpRequest.Builder request =
        management
            .request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return api.check(management.send(request));
  }
}
