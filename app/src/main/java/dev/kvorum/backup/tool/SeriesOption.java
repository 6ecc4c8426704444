package dev.kvorum.backup.tool;

import dev.kvorum.backup.manifest.BackupNames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The series of backups of a command. */
final class SeriesOption {
  @Option(
      names = "--series",
      paramLabel = "SERIES",
      description =
          "series of a new backup, or of those that are meant: 1 to 63 lower-case letters, digits,"
              + " hyphens and dots; default: none for a new one, else all")
  private @Nullable String series;

  SeriesOption() {}

  Optional<String> name() {
    if (series != null && !BackupNames.isSeries(series)) {
      throw KvorumBackup.wrong(
          "--series is '"
              + series
              + "'; it must have 1 to 63 lower-case letters, digits, hyphens and dots, and begin and"
              + " end with a letter or digit");
    }
    return Optional.ofNullable(series);
  }
}
