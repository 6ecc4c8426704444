package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.RawConnection.Response;
import dev.kvorum.seeds.Seeds;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests for ranges: what is rejected, and in which form and order the rest is answered. */
@ExtendWith(PrintsNodeLogs.class)
class RangeRequestIT {
  private static final Cluster CLUSTER = SharedCluster.get();

  @Test
  void answersHeadWithTheHeadersAloneAndKeepsTheConnection() throws IOException {
    try (RawConnection connection = new RawConnection(CLUSTER.node(0))) {
      connection.send("HEAD /v0/entities?start=a HTTP/1.1\r\nHost: k\r\n");
      Response head = connection.send("Accept: application/x-ndjson\r\n\r\n").read(true);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("content-type")).isEqualTo("application/x-ndjson");
      connection.send("HEAD /v0/entities HTTP/1.1\r\nHost: k\r\n\r\n");
      assertThat(connection.read(true).status()).isEqualTo(400);
      for (int i = 0; i < 3; i++) {
        connection.send("GET /v0/entities?start=b&end=a HTTP/1.1\r\nHost: k\r\n\r\n");
        Response empty = connection.read();
        assertThat(empty.status()).isEqualTo(200);
        assertThat(empty.body()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "*/* > application/octet-stream",
        "application/* > application/octet-stream",
        "text/html, application/xhtml+xml, */*;q=0.8 > application/octet-stream",
        "application/x-ndjson > application/x-ndjson",
        "application/x-ndjson;q=0, */* > application/octet-stream",
        "application/json > application/x-ndjson",
        "application/json, text/plain, */* > application/x-ndjson",
        "application/json;q=0.1, */* > application/octet-stream",
        "application/jsonl > application/x-ndjson",
        "application/vnd.records+ndjson > application/x-ndjson",
        "text/html, application/X-NDJSON;q=0.3 > application/x-ndjson",
        "application/octet-stream, application/x-ndjson;q=0.9 > application/octet-stream",
      })
  void answersInTheFormThatIsWanted(String accept, String type) {
    HttpResponse<byte[]> answer = accepting(accept, "/v0/entities?start=x&limit=1");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).hasValue(type);
  }

  @Test
  void aParameterSelectsTheFormWhateverIsAccepted() {
    HttpResponse<byte[]> lines = accepting("text/html", "/v0/entities?prefix=x&format=ndjson");
    assertThat(lines.headers().firstValue("content-type")).hasValue("application/x-ndjson");
    HttpResponse<byte[]> chunks =
        accepting("application/x-ndjson", "/v0/entities?prefix=x&format=chunks");
    assertThat(chunks.headers().firstValue("content-type")).hasValue("application/octet-stream");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/html", "application/x-ndjson;q=0", "*/*, application/octet-stream;q=0"})
  void answersInNoFormThatIsNotAccepted(String accept) {
    assertProblem(accepting(accept, "/v0/entities?prefix=x"), 406, "not-acceptable");
  }

  private static HttpResponse<byte[]> accepting(String type, String path) {
    return client(1).send(client(1).request(path).header("Accept", type).GET());
  }

  @ParameterizedTest
  @CsvSource({
    "?prefix=a&start=a,invalid-prefix",
    "?prefix=&end=b,invalid-prefix",
    "?prefix=a&prefix=b,repeated-parameter",
    "?prefix=%FF,invalid-encoding",
    "?start=a&format=json,invalid-format",
    "?start=a&format=,invalid-format",
    "?start=a&values=no,invalid-boolean",
    "?start=a&count=,invalid-boolean",
    "?start=a&count=true&format=ndjson,invalid-count",
    "?start=a&count=true&reverse=true,invalid-count",
    "?start=a&reverse=yes,invalid-boolean",
    "?reverse=true,missing-start",
    "?end=b&reverse=true&resume=AWE,invalid-resume",
    "'',missing-start",
    "?start=,missing-start",
    "?end=b,missing-start",
    "?start=a&end=,invalid-end",
    "?start=a&limit=0,invalid-limit",
    "?start=a&limit=-3,invalid-limit",
    "?start=a&limit=many,invalid-number",
    "?start=a&limit=,invalid-number",
    "?start=a&limit=9223372036854775808,invalid-number",
    "?start=a&scope=world,invalid-scope",
    "?start=a&scope=,invalid-scope",
    "?start=a&start=b,repeated-parameter",
    "?start=a&id=b,unknown-parameter",
    "?start=%FF,invalid-encoding",
    "?start=a&resume=AWE,invalid-resume",
    "?resume=,invalid-resume",
    "?resume=!,invalid-resume",
    "?resume=AGE,invalid-resume",
  })
  void rejectsWhatCannotBeRight(String query, String problem) {
    assertProblem(client(0).path("/v0/entities" + query), 400, problem);
  }

  @Test
  void rejectsBoundsThatAreLongerThanAnyKey() {
    assertProblem(client(0).path("/v0/entities?prefix=" + "k".repeat(1025)), 400, "key-too-long");
    assertProblem(client(0).path("/v0/entities?start=" + "k".repeat(1025)), 400, "key-too-long");
    assertProblem(
        client(0).path("/v0/entities?start=k&end=" + "k".repeat(1025)), 400, "key-too-long");
    assertThat(client(0).path("/v0/entities?start=" + "~".repeat(1024)).statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "POST", "DELETE", "PATCH", "OPTIONS"})
  void isThereToBeReadOnly(String method) {
    HttpResponse<byte[]> answer =
        client(0)
            .send(
                client(0)
                    .request("/v0/entities?start=a")
                    .method(method, BodyPublishers.ofString("v")));
    assertProblem(answer, 405, "method-not-allowed");
    assertThat(answer.headers().firstValue("allow")).hasValue("GET, HEAD");
  }

  @Test
  void readsFromTheLastKeyToTheFirst() throws IOException {
    String prefix = "reverse-" + Seeds.uuid() + "-";
    for (int i = 0; i < 7; i++) {
      client(0).put(prefix + i, "12345");
    }
    client(0).delete(prefix + 3);
    String range = "prefix=" + RangeReader.encoded(prefix) + "&reverse=true";
    Awaitility.await("all members use the feature")
        .until(() -> CLUSTER.nodes().stream().allMatch(node -> isServed(node.client(), range)));
    List<String> keys = IntStream.of(6, 5, 4, 2, 1, 0).mapToObj(i -> prefix + i).toList();
    assertThat(RangeReader.keys(CLUSTER.node(1), range)).isEqualTo(keys);
    assertThat(RangeReader.keys(CLUSTER.node(2), range + "&scope=node")).isEqualTo(keys);
    String newest = Client.text(client(1).path("/v0/entities?format=ndjson&limit=2&" + range));
    List<JsonNode> lines = newest.lines().map(JsonMapper.shared()::readTree).toList();
    assertThat(lines.stream().map(line -> line.get("key").asString()))
        .containsExactlyElementsOf(keys.subList(0, 2));
    String rest = range + "&resume=" + lines.getLast().get("resume").asString();
    assertThat(RangeReader.keys(CLUSTER.node(0), rest)).isEqualTo(keys.subList(2, 6));
    String between = "start=%s&end=%s&reverse=true".formatted(keys.get(4), keys.get(2));
    assertThat(RangeReader.keys(CLUSTER.node(0), between)).isEqualTo(keys.subList(3, 5));
  }

  private static boolean isServed(Client client, String range) {
    return client.path("/v0/entities?" + range).statusCode() == 200;
  }

  private static Client client(int number) {
    return CLUSTER.node(number).client();
  }
}
