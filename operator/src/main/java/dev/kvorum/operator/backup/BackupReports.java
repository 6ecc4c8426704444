package dev.kvorum.operator.backup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.job.CommandReports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@code kvorum-backup create --report} wrote. */
final class BackupReports {
  private BackupReports() {}

  /** The result of a complete backup; empty if it is not valid. */
  static Optional<BackupResult> read(String message) {
    JsonNode json = CommandReports.read(message);
    if (!json.path("bytes").isIntegralNumber() || !json.path("began").isTextual()) {
      return Optional.empty();
    }
    List<Integer> covered = new ArrayList<>();
    json.path("covered").forEach(from -> covered.add(from.asInt()));
    return Optional.of(
        new BackupResult(
            json.path("began").asText(),
            json.path("ended").asText(),
            json.path("parts").asInt() + "/" + json.path("members").asInt(),
            covered,
            json.path("bytes").asLong(),
            json.path("uploadedBytes").asLong()));
  }
}
