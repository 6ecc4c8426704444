package dev.kvorum.blackbox;

import static dev.kvorum.blackbox.ProblemAssertions.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.seeds.Seeds;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of requests and codes, by way of three healthy nodes. */
@ExtendWith(PrintsNodeLogs.class)
class ApiIT {
  private static final int VALUE_MAX = 1 << 20;

  private static final Cluster CLUSTER = SharedCluster.get();
  private final String key = "k-" + Seeds.uuid();

  @Test
  void storesAValueThatEveryNodeThenReads() {
    HttpResponse<byte[]> stored = node(0).put(key, "a value");

    assertThat(stored.statusCode()).isEqualTo(201);
    assertThat(stored.body()).isEmpty();
    assertThat(etag(stored)).matches("\"[0-9a-f]{24}\"");
    for (NodeProcess node : CLUSTER.nodes()) {
      HttpResponse<byte[]> read = node.client().get(key);
      assertThat(read.statusCode()).isEqualTo(200);
      assertThat(Client.text(read)).isEqualTo("a value");
      assertThat(etag(read)).isEqualTo(etag(stored));
      assertThat(read.headers().firstValue("content-type")).hasValue("application/octet-stream");
    }
  }

  @Test
  void replacesAValueUnderANewerVersionWhicheverNodeIsAsked() {
    String last = "";
    for (int i = 0; i < 30; i++) {
      String etag = etag(node(i % 3).put(key, "value " + i));
      assertThat(etag).isGreaterThan(last);
      last = etag;
      assertThat(Client.text(node((i + 1) % 3).get(key))).isEqualTo("value " + i);
    }
  }

  @Test
  void deletesAKeyWhetherOrNotItExists() {
    assertThat(node(0).delete(key).statusCode()).isEqualTo(202);
    node(0).put(key, "there");
    assertThat(node(1).get(key).statusCode()).isEqualTo(200);
    assertThat(node(1).delete(key).statusCode()).isEqualTo(202);
    for (NodeProcess node : CLUSTER.nodes()) {
      assertProblem(node.client().get(key), 404, "not-found");
    }
    assertThat(node(2).delete(key).statusCode()).isEqualTo(202);
    node(2).put(key, "back");
    assertThat(Client.text(node(0).get(key))).isEqualTo("back");
  }

  @Test
  void saysNotModifiedToAClientThatHasTheVersion() {
    String etag = etag(node(0).put(key, "cached"));

    for (String match : List.of(etag, "W/" + etag, "*", "\"other\", " + etag)) {
      HttpResponse<byte[]> read =
          node(1).send(node(1).entity(key, "").header("If-None-Match", match).GET());
      assertThat(read.statusCode()).as(match).isEqualTo(304);
      assertThat(read.body()).isEmpty();
      assertThat(etag(read)).isEqualTo(etag);
    }
    HttpResponse<byte[]> twoLines =
        node(1)
            .send(
                node(1)
                    .entity(key, "")
                    .header("If-None-Match", "\"other\"")
                    .header("If-None-Match", etag)
                    .GET());
    assertThat(twoLines.statusCode()).isEqualTo(304);
    HttpResponse<byte[]> other =
        node(1).send(node(1).entity(key, "").header("If-None-Match", "\"other\"").GET());
    assertThat(other.statusCode()).isEqualTo(200);
    assertProblem(
        node(1).send(node(1).entity(key + "-none", "").header("If-None-Match", "*").GET()),
        404,
        "not-found");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 65_535, 65_537, VALUE_MAX - 1, VALUE_MAX})
  void keepsAnyBytesUpToTheLimit(int length) {
    byte[] value = new byte[length];
    new Random(length).nextBytes(value);

    assertThat(node(0).put(key, value, "").statusCode()).isEqualTo(201);
    assertThat(node(1).get(key).body()).isEqualTo(value);
    var chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(value));
    assertThat(node(1).put(key + "-chunked", chunked).statusCode()).isEqualTo(201);
    assertThat(node(2).get(key + "-chunked").body()).isEqualTo(value);
  }

  @Test
  void rejectsAValueOverTheLimitAndKeepsTheOldOne() {
    node(0).put(key, "old");
    byte[] tooLong = new byte[VALUE_MAX + 1];

    assertProblem(node(0).put(key, tooLong, ""), 413, "value-too-large");
    assertProblem(
        node(0).put(key, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooLong))),
        413,
        "value-too-large");
    assertProblem(
        node(0)
            .send(
                node(0)
                    .entity(key, "")
                    .expectContinue(true)
                    .PUT(BodyPublishers.ofByteArray(tooLong))),
        413,
        "value-too-large");
    assertThat(Client.text(node(1).get(key, "&ack=3"))).isEqualTo("old");
  }

  @Test
  void takesAValueThatWaitsToBeAskedFor() {
    HttpResponse<byte[]> stored =
        node(0)
            .send(
                node(0)
                    .entity(key, "")
                    .expectContinue(true)
                    .PUT(BodyPublishers.ofString("polite")));

    assertThat(stored.statusCode()).isEqualTo(201);
    assertThat(Client.text(node(1).get(key))).isEqualTo("polite");
  }

  @ParameterizedTest
  @CsvSource({
    "/v0/entity,missing-id",
    "/v0/entity?id=,missing-id",
    "/v0/entity?ack=1,missing-id",
    "/v0/entity?id=k&ack=0,invalid-quorum",
    "/v0/entity?id=k&ack=-1,invalid-quorum",
    "/v0/entity?id=k&from=0,invalid-quorum",
    "/v0/entity?id=k&ack=3&from=2,invalid-quorum",
    "/v0/entity?id=k&ack=4,invalid-quorum",
    "/v0/entity?id=k&from=4,invalid-quorum",
    "/v0/entity?id=k&ack=1&from=4,invalid-quorum",
    "/v0/entity?id=k&from=2147483647,invalid-quorum",
    "/v0/entity?id=k&ack=two,invalid-number",
    "/v0/entity?id=k&ttl=0,invalid-ttl",
    "/v0/entity?id=k&ttl=-5,invalid-ttl",
    "/v0/entity?id=k&ttl=soon,invalid-number",
    "/v0/entity?id=%FF,invalid-encoding",
    "/v0/entity?id=k&id=k,repeated-parameter",
    "/v0/entity?id=k&consistency=all,unknown-parameter",
    "/,unknown-path",
    "/v0,unknown-path",
    "/v0/entity/,unknown-path",
    "/v0/entity/k,unknown-path",
    "/v1/entity?id=k,unknown-path",
    "/actuator/health,unknown-path",
    "/%00,unknown-path",
    "/..%2f..%2fetc%2fpasswd,unknown-path",
  })
  void rejectsWhatCannotBeRight(String path, String problem) {
    assertProblem(
        node(0).send(node(0).request(path).PUT(BodyPublishers.ofString("v"))), 400, problem);
    assertThat(node(0).path(path).statusCode()).isEqualTo(400);
    assertThat(node(0).send(node(0).request(path).DELETE()).statusCode()).isEqualTo(400);
    HttpRequest.Builder head = node(0).request(path).method("HEAD", BodyPublishers.noBody());
    assertThat(node(0).send(head).statusCode()).isEqualTo(400);
  }

  @Test
  void takesATtlWithPutOnly() {
    assertProblem(node(0).get(key, "&ttl=5"), 400, "invalid-ttl");
    assertProblem(node(0).delete(key, "&ttl=5"), 400, "invalid-ttl");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "BREW"})
  void namesTheMethodsThatAreAllowed(String method) {
    HttpResponse<byte[]> answer =
        node(0).send(node(0).entity(key, "").method(method, BodyPublishers.noBody()));

    assertProblem(answer, 405, "method-not-allowed");
    assertThat(answer.headers().firstValue("allow").orElse("").split(", ", -1))
        .containsExactlyInAnyOrder("GET", "HEAD", "PUT", "DELETE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "+",
        "%",
        "%2B",
        "a b",
        "a+b",
        "a%2Bb",
        "a/b",
        "a?b",
        "a&b=c",
        "#",
        "\n",
        "\r\n",
        "\u0000",
        "\u007f",
        "\ufeff",
        "é",
        "e\u0301",
        "💩",
        "\u202ekey",
        "../../etc/passwd",
        "\"",
      })
  void keepsKeysOfAnyTextApart(String text) {
    String odd = key + text;

    assertThat(node(0).put(odd, text).statusCode()).isEqualTo(201);
    assertThat(Client.text(node(1).get(odd))).isEqualTo(text);
    assertThat(node(1).get(key).statusCode()).isEqualTo(404);
    assertThat(node(2).put(text, text).statusCode()).isEqualTo(201);
    assertThat(Client.text(node(0).get(text))).isEqualTo(text);
  }

  @Test
  void takesKeysOfUpTo1024Bytes() {
    String longest = "💩".repeat(246) + key;
    assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(1022);

    assertThat(node(0).put(longest + "12", "long").statusCode()).isEqualTo(201);
    assertThat(Client.text(node(1).get(longest + "12"))).isEqualTo("long");
    assertThat(node(1).get(longest + "1").statusCode()).isEqualTo(404);
    assertProblem(node(0).put(longest + "123", "longer"), 400, "key-too-long");
  }

  @Test
  void letsAValueLiveAsLongAsItsTtlAndNoLonger() {
    long millis = 1_500;
    long before = System.nanoTime();
    assertThat(node(0).put(key, new byte[] {1}, "&ttl=" + millis).statusCode()).isEqualTo(201);
    node(0).put(key + "-kept", new byte[] {1}, "&ttl=" + millis);
    node(1).put(key + "-kept", "for ever");
    HttpResponse<byte[]> young = node(1).get(key);
    if (System.nanoTime() - before < Duration.ofMillis(millis).toNanos()) {
      assertThat(young.statusCode()).isEqualTo(200);
    }

    Awaitility.await("expiry")
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> node(2).get(key).statusCode() == 404);

    long lived = Duration.ofNanos(System.nanoTime() - before).toMillis();
    assertThat(lived).isBetween(millis, millis + 1_000);
    assertProblem(node(0).get(key, "&ack=1&from=1"), 404, "not-found");
    assertProblem(node(1).get(key, "&ack=3"), 404, "not-found");
    assertThat(Client.text(node(2).get(key + "-kept"))).isEqualTo("for ever");
    node(0).put(key, "again");
    assertThat(Client.text(node(1).get(key))).isEqualTo("again");
  }

  private static Client node(int number) {
    return CLUSTER.node(number).client();
  }

  private static String etag(HttpResponse<byte[]> response) {
    return response.headers().firstValue("etag").orElse("");
  }

  @ParameterizedTest
  @CsvSource({"If-Match,\"1\"", "If-None-Match,*", "If-Unmodified-Since,never"})
  void aWriteWithAPreconditionChangesNothing(String header, String value) {
    assertThat(node(0).put(key, "before").statusCode()).isEqualTo(201);
    for (var write :
        List.of(
            node(0).entity(key, "").header(header, value).PUT(BodyPublishers.ofString("after")),
            node(0).entity(key, "").header(header, value).DELETE())) {
      assertProblem(node(0).send(write), 400, "unsupported-precondition");
    }
    assertThat(Client.text(node(1).get(key))).isEqualTo("before");
  }
}
