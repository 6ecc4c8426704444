package dev.kvorum.backup.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** A file for a summary of what a command has done. */
final class ReportOption {
  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "file for a summary as a JSON object, written if all is done")
  private @Nullable Path file;

  ReportOption() {}

  /** Writes a summary, which should fit a container's termination message of 4 096 bytes. */
  void write(Object summary) throws IOException {
    if (file != null) {
      Files.writeString(file, JsonMapper.shared().writeValueAsString(summary));
    }
  }
}
