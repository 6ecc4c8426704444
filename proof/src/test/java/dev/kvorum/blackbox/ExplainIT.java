package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code /v0/explain} on three nodes. */
@ExtendWith(PrintsNodeLogs.class)
class ExplainIT {
  private static final Client CLIENT = SharedCluster.get().node(1).client();

  private final String key = "explained-" + Seeds.uuid();

  private JsonNode explain(String parameters) {
    return CLIENT.json("/v0/explain?id=" + key + parameters);
  }

  private static List<String> records(JsonNode report) {
    return StreamSupport.stream(report.get("replicas").spliterator(), false)
        .map(replica -> replica.get("record").asString())
        .toList();
  }

  @Test
  void followsAKeyFromItsFirstWriteToItsDeletion() {
    assertThat(explain("").get("status").asInt()).isEqualTo(404);
    assertThat(records(explain(""))).containsExactly("absent", "absent", "absent");

    CLIENT.put(key, "hello".getBytes(UTF_8), "&from=1");
    JsonNode one = explain("&ack=3&from=3");
    assertThat(records(one)).containsExactly("value", "absent", "absent");
    assertThat(one.get("status").asInt()).isEqualTo(200);
    assertThat(one.get("explanation").asString()).contains("on 1 of 3 replicas", "has none");

    CLIENT.put(key, "hello, all".getBytes(UTF_8), "&ack=3");
    JsonNode all = explain("");
    assertThat(records(all)).containsExactly("value", "value", "value");
    assertThat(all.get("explanation").asString()).contains("on 3 of 3 replicas");
    assertThat(all.get("replicas").get(2).get("bytes").asInt()).isEqualTo(10);

    CLIENT.delete(key, "&ack=3");
    JsonNode deleted = explain("");
    assertThat(records(deleted)).containsExactly("tombstone", "tombstone", "tombstone");
    assertThat(deleted.get("status").asInt()).isEqualTo(404);
    assertThat(deleted.get("explanation").asString()).contains("is a deletion");
  }

  @Test
  void answersHeadWithTheHeadersAlone() throws IOException {
    try (RawConnection connection = new RawConnection(SharedCluster.get().node(0))) {
      connection.send("HEAD /v0/explain?id=a HTTP/1.1\r\nHost: k\r\n\r\n");
      assertThat(connection.read(true).header("content-type")).isEqualTo("application/json");
      connection.send("GET /v0/explain?id=a HTTP/1.1\r\nHost: k\r\n\r\n");
      assertThat(connection.read().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',missing-id",
    "?id=,missing-id",
    "?id=a&ttl=5,invalid-ttl",
    "?id=a&from=4,invalid-quorum",
    "?id=a&prefix=b,unknown-parameter",
  })
  void rejectsWhatIsWrong(String query, String problem) {
    assertProblem(CLIENT.path("/v0/explain" + query), 400, problem);
  }
}
