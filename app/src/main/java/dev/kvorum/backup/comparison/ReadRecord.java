package dev.kvorum.backup.comparison;

import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * A record as a range request has it.
 *
 * @param version as text, which sorts like the versions
 * @param content value in Base64
 * @param expiresAtMillis Unix time, or {@link Versioned#NEVER}
 */
public record ReadRecord(
    Key key, String version, String content, String mediaType, long expiresAtMillis) {
  static ReadRecord of(JsonNode line) {
    return new ReadRecord(
        Key.of(line.path("key").asString()),
        line.path("version").asString(),
        line.path("value").asString(),
        line.path("type").asString(""),
        line.path("expires").asLong(Versioned.NEVER));
  }

  boolean isNewerThan(ReadRecord other) {
    return version.compareTo(other.version) > 0;
  }

  boolean expiresBefore(Instant time) {
    return expiresAtMillis != Versioned.NEVER && expiresAtMillis < time.toEpochMilli();
  }

  boolean hasContentOf(ReadRecord other) {
    return content.equals(other.content)
        && mediaType.equals(other.mediaType)
        && expiresAtMillis == other.expiresAtMillis;
  }
}
