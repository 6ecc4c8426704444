package dev.kvorum.chaos;

import dev.kvorum.blackbox.Client;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client that reads ranges of keys, one at a time, and keeps a record of each key in them: a
 * complete range has the same value for each key as a read, and a key that it lacks is absent.
 */
final class RangeClient {
  /** A range may take longer than a request: a page of a member that hangs is waited for. */
  private static final Duration TIMEOUT = Duration.ofSeconds(8);

  private final String name;
  private final int keys;
  private final Recorder recorder;

  RangeClient(String name, int keys, Recorder recorder) {
    this.name = name;
    this.keys = keys;
    this.recorder = recorder;
  }

  /** Reads so many keys from one on. */
  void read(NodeProcess node, int first, int count) {
    int end = Math.min(keys, first + count);
    String path = "/v0/entities?start=%s&end=%s".formatted(Workload.key(first), Workload.key(end));
    long skewMillis = Faults.skewMillis(node);
    long start = recorder.nowNanos();
    Map<String, JsonNode> found = new HashMap<>();
    int status = 0;
    boolean isComplete = false;
    try {
      HttpResponse<byte[]> answer =
          node.client()
              .send(
                  node.client()
                      .request(path)
                      .header("Accept", "application/x-ndjson")
                      .timeout(TIMEOUT)
                      .GET());
      status = answer.statusCode();
      isComplete = status == 200;
      if (isComplete) {
        Client.text(answer)
            .lines()
            .map(line -> JsonMapper.shared().readTree(line))
            .forEach(record -> found.put(record.get("key").asString(), record));
      }
    } catch (UncheckedIOException e) {
      // Rejected, or ended before its end.
      isComplete = false;
    }
    long ended = recorder.nowNanos();
    for (int i = first; i < end; i++) {
      JsonNode record = found.get(Workload.key(i));
      Outcome outcome =
          !isComplete ? Outcome.INDETERMINATE : record == null ? Outcome.NOT_FOUND : Outcome.OK;
      recorder.add(
          new Operation(
              name,
              Kind.RANGE,
              true,
              Workload.key(i),
              record == null ? "" : value(record),
              0,
              record == null ? "" : record.get("version").asString(),
              node.name(),
              skewMillis,
              start,
              ended,
              outcome,
              status));
    }
  }

  private static String value(JsonNode record) {
    byte[] bytes = Base64.getDecoder().decode(record.get("value").asString());
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
