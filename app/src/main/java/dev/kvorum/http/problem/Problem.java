package dev.kvorum.http.problem;

import dev.kvorum.coordinator.ReplicaOutcome;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An error response: {@code application/problem+json} of RFC 9457.
 *
 * @param name last part of the stable {@code type}
 * @param json the body
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Problem(HttpResponseStatus status, String name, byte[] json) {
  public static final String MEDIA_TYPE = "application/problem+json";

  private static final String TYPE_PREFIX = "urn:kvorum:problem:";

  static Problem of(int status, String name, String title, String detail) {
    return new Problem(
        HttpResponseStatus.valueOf(status), name, JsonLine.of(fields(status, name, title, detail)));
  }

  /** Creates a problem that lists each replica's outcome. */
  static Problem of(
      int status, String name, String title, String detail, List<ReplicaOutcome> replies) {
    Map<String, Object> fields = fields(status, name, title, detail);
    Map<String, String> replicas = new LinkedHashMap<>();
    replies.forEach(reply -> replicas.put(reply.replica().name(), reply.label()));
    fields.put("replicas", replicas);
    return new Problem(HttpResponseStatus.valueOf(status), name, JsonLine.of(fields));
  }

  /** The last line of an incomplete stream of JSON lines. */
  public byte[] incompleteLine() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("incomplete", TYPE_PREFIX + name);
    JsonNode fields = JsonMapper.shared().readTree(json);
    line.put("detail", fields.get("detail"));
    line.put("replicas", fields.get("replicas"));
    return JsonLine.of(line);
  }

  private static Map<String, Object> fields(int status, String name, String title, String detail) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", TYPE_PREFIX + name);
    fields.put("title", title);
    fields.put("status", status);
    fields.put("detail", detail);
    return fields;
  }
}
