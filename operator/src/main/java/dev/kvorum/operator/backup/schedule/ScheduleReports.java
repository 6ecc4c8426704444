package dev.kvorum.operator.backup.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@code kvorum-backup prune} and {@code verify} report. */
final class ScheduleReports {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ScheduleReports() {}

  /**
   * Which backups were deleted.
   *
   * @param deleted their ids
   * @param kept number of the others
   */
  record Deleted(List<String> deleted, int kept) {
    Deleted {
      deleted = List.copyOf(deleted);
    }
  }

  /** Without a report, as of a pod that is gone, nothing is known to be deleted. */
  static Deleted deleted(String message) {
    JsonNode report = read(message);
    List<String> deleted = new ArrayList<>();
    report.path("deleted").forEach(id -> deleted.add(id.asText()));
    return new Deleted(deleted, report.path("kept").asInt());
  }

  /** What was compared. */
  static String summary(String message) {
    return read(message).path("summary").asText("");
  }

  private static JsonNode read(String message) {
    try {
      return JSON.readTree(message);
    } catch (JsonProcessingException e) {
      return JSON.createObjectNode();
    }
  }
}
