package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The media type of a value. */
@ExtendWith(PrintsNodeLogs.class)
class MediaTypeIT {
  private static final Cluster CLUSTER = SharedCluster.get();
  private final String key = "k-" + Seeds.uuid();

  @Test
  void isReturnedAsItWasSent() {
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

    HttpResponse<byte[]> unchanged =
        client.send(
            client
                .entity(key, "")
                .header("If-None-Match", client.get(key).headers().firstValue("etag").orElseThrow())
                .GET());
    assertThat(unchanged.statusCode()).isEqualTo(304);
    HttpResponse<byte[]> heads =
        client.path("/v0/entities?values=false&format=ndjson&prefix=" + key);
    assertThat(JsonMapper.shared().readTree(Client.text(heads)).get("bytes").asInt()).isEqualTo(2);
    JsonNode explained =
        JsonMapper.shared().readTree(Client.text(client.path("/v0/explain?id=" + key)));
    assertThat(explained.get("replicas").get(0).get("bytes").asInt()).isEqualTo(2);

    client.send(typed("application/x-www-form-urlencoded"));
    assertThat(CLUSTER.node(2).client().get(key).headers().firstValue("content-type"))
        .hasValue("application/octet-stream");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20})
  void valuesOfAnySizeHaveOne(int length) {
    byte[] value = new byte[length];
    Client client = CLUSTER.node(1).client();
    for (BodyPublisher body :
        List.of(
            BodyPublishers.ofByteArray(value),
            // Without a length: in chunks.
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(value)))) {
      HttpRequest.Builder put =
          client.entity(key, "").PUT(body).header("Content-Type", "image/png");
      assertThat(client.send(put).statusCode()).isEqualTo(201);
      HttpResponse<byte[]> read = CLUSTER.node(2).client().get(key);
      assertThat(read.body()).isEqualTo(value);
      assertThat(read.headers().firstValue("content-type")).hasValue("image/png");
      assertThat(read.headers().firstValue("content-security-policy")).hasValue("sandbox");
    }
  }

  @BeforeAll
  static void awaitFeature() {
    Awaitility.await("all members use the feature")
        .until(() -> CLUSTER.nodes().stream().allMatch(MediaTypeIT::keepsTypes));
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
        .contains("\"activeFeatures\":[\"content-type\"");
  }
}
