package dev.kvorum.http.problem;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** JSON of one line, with a newline at its end, for terminals. */
public final class JsonLine {
  private JsonLine() {}

  /** Encodes an object: a record, a map or a list. */
  public static byte[] of(Object object) {
    return (JsonMapper.shared().writeValueAsString(object) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
