package dev.kvorum.blackbox;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.blackbox.RangeReader.Found;
import dev.kvorum.seeds.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Ranges by way of three healthy nodes. */
@ExtendWith(PrintsNodeLogs.class)
class RangeIT {
  private static final Cluster CLUSTER = SharedCluster.get();
  private final String prefix = "r-" + Seeds.uuid() + "-";

  @Test
  void streamsOddKeysInTheOrderOfTheirBytesOneChunkEach() throws IOException {
    List<String> keys =
        new ArrayList<>(
            List.of(
                "|",
                "a|",
                "a\n|",
                "a\nb|",
                "a\u0000|",
                "\u0000|",
                "ab|",
                "b|",
                "é|",
                "e\u0301|",
                "\uFFFD|",
                "💩|",
                "\uE000|",
                "\"|",
                "\\|",
                "A|",
                "~|",
                "\u007f|",
                "a a|",
                "a+|"));
    for (int i = 0; i < keys.size(); i++) {
      client(i % 3).put(prefix + keys.get(i), "value\n" + i);
    }
    List<String> sorted = new ArrayList<>(keys);
    sorted.sort((a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b)));
    for (NodeProcess node : CLUSTER.nodes()) {
      List<Found> found;
      try (RangeReader reader = new RangeReader(node, RangeReader.of(prefix), "|")) {
        found = reader.rest();
      }
      assertThat(found.stream().map(Found::key)).containsExactlyElementsOf(prefixed(sorted));
      for (Found record : found) {
        int number = keys.indexOf(record.key().substring(prefix.length()));
        assertThat(new String(record.value(), StandardCharsets.UTF_8))
            .isEqualTo("value\n" + number);
      }
    }
  }

  private List<String> prefixed(List<String> keys) {
    return keys.stream().map(key -> prefix + key).toList();
  }

  @Test
  void holdsToStartEndAndLimit() throws IOException {
    IntStream.range(0, 20).forEach(i -> client(i % 3).put(prefix + number(i), "v"));
    String from5 = "start=" + prefix + number(5);

    assertThat(keys(from5 + "&end=" + prefix + number(8))).containsExactly(names(5, 8));
    assertThat(keys(from5 + "&end=" + prefix + number(20) + "&limit=3"))
        .containsExactly(names(5, 8));
    assertThat(keys("start=" + prefix + "&end=" + prefix + number(3))).containsExactly(names(0, 3));
    assertThat(keys(from5 + "&end=" + prefix + number(5))).isEmpty();
    assertThat(keys(from5 + "&end=" + prefix + number(4))).isEmpty();
    assertThat(keys(RangeReader.of(prefix) + "&limit=9223372036854775807")).hasSize(20);
    assertThat(keys(RangeReader.of(prefix) + "&scope=cluster")).hasSize(20);
  }

  private static String number(int number) {
    return "%04d".formatted(number);
  }

  private String[] names(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> prefix + number(i)).toArray(String[]::new);
  }

  private static List<String> keys(String parameters) throws IOException {
    return RangeReader.keys(CLUSTER.node(1), parameters);
  }

  @Test
  void leavesOutWhatIsDeletedOrExpiredAndShowsTheNewestValues() throws IOException {
    for (int i = 0; i < 30; i++) {
      client(i % 3).put(prefix + number(i), "old");
      if (i % 3 == 0) {
        client(i % 2).delete(prefix + number(i));
      } else if (i % 3 == 1) {
        client(i % 2).put(prefix + number(i), new byte[] {1}, "&ttl=300");
      } else {
        client(i % 2).put(prefix + number(i), "new");
      }
    }
    Awaitility.await("expiry")
        .atMost(Duration.ofSeconds(10))
        .until(() -> client(0).get(prefix + number(28)).statusCode() == 404);

    for (String scope : List.of("cluster", "node")) {
      List<Found> found =
          RangeReader.all(CLUSTER.node(2), RangeReader.of(prefix) + "&scope=" + scope);
      assertThat(found).as(scope).hasSize(10);
      assertThat(found)
          .allMatch(record -> new String(record.value(), StandardCharsets.UTF_8).equals("new"));
    }
  }

  @Test
  void showsWhatOneNodeHoldsOnlyToWhoAsksForIt() throws IOException {
    for (int i = 0; i < 30; i++) {
      assertThat(client(0).put(prefix + number(i), new byte[] {1}, "&from=1").statusCode())
          .isEqualTo(201);
    }
    int sum = 0;
    for (NodeProcess node : CLUSTER.nodes()) {
      List<String> own = RangeReader.keys(node, RangeReader.of(prefix) + "&scope=node");
      assertThat(own).hasSizeLessThan(30).isSorted();
      sum += own.size();
      assertThat(RangeReader.keys(node, RangeReader.of(prefix))).hasSize(30);
    }
    assertThat(sum).isEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 1 << 20})
  void carriesValuesOfAnySize(int length) throws IOException {
    byte[] value = new byte[length];
    new Random(length).nextBytes(value);
    for (int i = 0; i < 4; i++) {
      client(i % 3).put(prefix + i, value, "");
    }
    List<Found> found = RangeReader.all(CLUSTER.node(0), RangeReader.of(prefix));
    assertThat(found).hasSize(4).allMatch(record -> Arrays.equals(record.value(), value));
  }

  @Test
  void writesJsonLinesFromEachOfWhichAStreamCanBeResumed() {
    String odd = prefix + "\"\\\n\u0000é💩\u001f/";
    String etag = client(0).put(odd, "odd").headers().firstValue("etag").orElse("");
    client(0).put(prefix + "empty", new byte[0], "");
    IntStream.range(0, 8).forEach(i -> client(i % 3).put(prefix + number(i), "v" + i));

    List<JsonNode> lines = lines(range(RangeReader.of(prefix), "Accept", JSON_LINES));

    assertThat(lines).hasSize(10);
    JsonNode line =
        lines.stream().filter(l -> l.get("key").asString().equals(odd)).findFirst().orElseThrow();
    assertThat('"' + line.get("version").asString() + '"').isEqualTo(etag);
    assertThat(
            new String(
                Base64.getDecoder().decode(line.get("value").asString()), StandardCharsets.UTF_8))
        .isEqualTo("odd");
    assertThat(lines.getLast().get("key").asString()).isEqualTo(prefix + "empty");
    assertThat(lines.getLast().get("value").asString()).isEmpty();
    for (int i = 0; i < lines.size(); i++) {
      String rest = "resume=" + lines.get(i).get("resume").asString();
      HttpResponse<byte[]> resumed =
          range(
              rest + "&end=" + RangeReader.encoded(prefix + "\uDBFF\uDFFF"), "Accept", JSON_LINES);
      assertThat(lines(resumed)).isEqualTo(lines.subList(i + 1, lines.size()));
    }
  }

  private static final String JSON_LINES = "application/x-ndjson";

  private static List<JsonNode> lines(HttpResponse<byte[]> response) {
    assertThat(response.headers().firstValue("content-type")).hasValue(JSON_LINES);
    return Client.text(response).lines().map(JsonMapper.shared()::readTree).toList();
  }

  private static HttpResponse<byte[]> range(String parameters, String... headers) {
    return client(1).send(client(1).request("/v0/entities?" + parameters).headers(headers).GET());
  }

  @Test
  void packsTheStreamForWhoAsksForIt() throws IOException {
    IntStream.range(0, 600).forEach(i -> client(i % 3).put(prefix + number(i), "value " + i));
    String all = RangeReader.of(prefix);
    byte[] chunks = range(all, "Accept", "*/*").body();
    byte[] lines = range(all, "Accept", JSON_LINES).body();

    for (String wanted : List.of("gzip", "deflate, gzip;q=0.5", "br, GZIP;q=1, identity;q=0.1")) {
      HttpResponse<byte[]> packed = range(all, "Accept", JSON_LINES, "Accept-Encoding", wanted);
      assertThat(packed.headers().firstValue("content-encoding")).as(wanted).hasValue("gzip");
      assertThat(unpacked(packed.body())).isEqualTo(lines);
      assertThat(packed.body().length).isLessThan(lines.length / 2);
    }
    for (String rejected : List.of("gzip;q=0", "gzip; q=0.0, *", "identity, gzip;q=0.2", "br")) {
      HttpResponse<byte[]> answer = range(all, "Accept", JSON_LINES, "Accept-Encoding", rejected);
      assertThat(answer.headers().firstValue("content-encoding")).as(rejected).isEmpty();
      assertThat(answer.body()).isEqualTo(lines);
    }
    HttpResponse<byte[]> unpacked = range(all, "Accept-Encoding", "gzip");
    assertThat(unpacked.headers().firstValue("content-encoding")).as("chunks").isEmpty();
    assertThat(unpacked.body()).isEqualTo(chunks);
    String empty = "start=b&end=a&format=ndjson";
    assertThat(unpacked(range(empty, "Accept-Encoding", "gzip").body())).isEmpty();
  }

  @Test
  void aPrefixHasWhatATildeWouldLeaveOut() throws IOException {
    List<String> keys = Stream.of("~", "~~", "ä", "💩").map(prefix::concat).toList();
    keys.forEach(key -> client(0).put(key, key));
    String encoded = RangeReader.encoded(prefix);
    assertThat(RangeReader.keys(CLUSTER.node(2), "prefix=" + encoded)).isEqualTo(keys);
    assertThat(RangeReader.keys(CLUSTER.node(1), "prefix=" + RangeReader.encoded(keys.get(0))))
        .isEqualTo(keys.subList(0, 2));
    String second = "prefix=" + encoded + "&format=ndjson&limit=2";
    String resume = lines(range(second, "Accept", "*/*")).getLast().get("resume").asString();
    assertThat(
            lines(range(second + "&resume=" + resume, "Accept", "*/*")).stream()
                .map(line -> line.get("key").asString()))
        .isEqualTo(keys.subList(2, 4));
    assertThat(RangeReader.keys(CLUSTER.node(0), "prefix=")).containsAll(keys);
  }

  @Test
  void saysWhenAValueExpiresAsGetDoes() {
    long written = System.currentTimeMillis();
    client(0).put(prefix, bytes("1"), "&ttl=3600000");
    client(0).put(prefix + "for-ever", "1");

    HttpResponse<byte[]> found = client(1).get(prefix);
    String header = found.headers().firstValue("Kvorum-Expires").orElseThrow();
    long seconds = Instant.from(RFC_1123_DATE_TIME.parse(header)).getEpochSecond();
    assertThat(seconds).isBetween(written / 1000 + 3_600 - 1, written / 1000 + 3_600 + 30);
    assertThat(client(1).get(prefix + "for-ever").headers().map())
        .doesNotContainKey("kvorum-expires");
    List<JsonNode> lines = lines(range(RangeReader.of(prefix), "Accept", JSON_LINES));
    assertThat(lines.get(0).get("expires").asLong() / 1000).isEqualTo(seconds);
    assertThat(lines.get(1).has("expires")).isFalse();
  }

  @Test
  void countsRecordsAndListsThemWithoutTheirValues() {
    for (int i = 0; i < 7; i++) {
      client(0).put(prefix + i, "12345");
    }
    client(0).delete(prefix + 3);
    String range = "/v0/entities?" + RangeReader.of(prefix);
    assertThat(client(1).json(range + "&count=true").get("count").asInt()).isEqualTo(6);
    assertThat(client(1).json(range + "&count=true&limit=4").get("count").asInt()).isEqualTo(4);
    assertThat(client(1).json("/v0/entities?start=b&end=a&count=true").get("count").asInt())
        .isZero();
    String keys = RangeReader.of(prefix) + "&values=false";
    assertThat(lines(range(keys, "Accept", JSON_LINES)))
        .hasSize(6)
        .allMatch(line -> !line.has("value") && line.get("bytes").asInt() == 5);
    assertThat(new String(range(keys, "Accept", "*/*").body(), StandardCharsets.UTF_8).lines())
        .containsExactlyElementsOf(
            IntStream.of(0, 1, 2, 4, 5, 6).mapToObj(i -> prefix + i).toList());
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
  }

  private static Client client(int number) {
    return CLUSTER.node(number).client();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
