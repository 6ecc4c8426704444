package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The media type of a value. */
@ExtendWith(PrintsNodeLogs.class)
class MediaTypeIT {
  private static final Cluster CLUSTER = SharedCluster.get();
  private final String key = "k-" + Seeds.uuid();

  @Test
  void isReturnedAsItWasSent() {
    Awaitility.await("all members use the feature")
        .until(() -> CLUSTER.nodes().stream().allMatch(MediaTypeIT::keepsTypes));
    String json = "application/json; charset=\"utf-8\"";
    Client client = CLUSTER.node(0).client();
    assertThat(client.send(typed(json)).statusCode()).isEqualTo(201);
    for (NodeProcess node : CLUSTER.nodes()) {
      HttpResponse<byte[]> read = node.client().get(key);
      assertThat(read.headers().firstValue("content-type")).hasValue(json);
      assertThat(Client.text(read)).isEqualTo("{}");
      HttpResponse<byte[]> head = node.client().send(node.client().entity(key, "").HEAD());
      assertThat(head.headers().firstValue("content-type")).hasValue(json);
      assertThat(head.headers().firstValue("content-length")).hasValue("2");
    }
    HttpResponse<byte[]> lines =
        CLUSTER.node(1).client().path("/v0/entities?format=ndjson&prefix=" + key);
    JsonNode line = JsonMapper.shared().readTree(Client.text(lines));
    assertThat(line.get("type").asString()).isEqualTo(json);
    assertThat(line.get("value").asString()).isEqualTo("e30=");

    client.send(typed("application/x-www-form-urlencoded"));
    assertThat(CLUSTER.node(2).client().get(key).headers().firstValue("content-type"))
        .hasValue("application/octet-stream");
    assertProblem(client.send(typed("x".repeat(128))), 400, "invalid-content-type");
  }

  private HttpRequest.Builder typed(String type) {
    return CLUSTER
        .node(0)
        .client()
        .entity(key, "")
        .PUT(BodyPublishers.ofString("{}"))
        .header("Content-Type", type);
  }

  private static boolean keepsTypes(NodeProcess node) {
    return Client.text(node.management().path("/actuator/kvorum"))
        .contains("\"activeFeatures\":[\"content-type\"]");
  }
}
