package dev.kvorum.operator.backup.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.job.CommandReports;
import java.util.List;

/** Reads what {@code kvorum-backup prune} and {@code verify} report. */
final class ScheduleReports {
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
    JsonNode report = CommandReports.read(message);
    return new Deleted(CommandReports.texts(report.path("deleted")), report.path("kept").asInt());
  }

  /** What was compared. */
  static String summary(String message) {
    return CommandReports.read(message).path("summary").asText("");
  }
}
