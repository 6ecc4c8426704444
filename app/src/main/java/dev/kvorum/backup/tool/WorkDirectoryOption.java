package dev.kvorum.backup.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command keeps the files of a backup while it runs. */
final class WorkDirectoryOption {
  @Option(
      names = "--work-dir",
      paramLabel = "DIRECTORY",
      defaultValue = "${sys:java.io.tmpdir}",
      description =
          "where the files of the backup are while it runs; default ${sys:java.io.tmpdir}")
  private Path directory = Path.of("");

  WorkDirectoryOption() {}

  /** Creates a directory of its own. */
  Path create() throws IOException {
    return Files.createTempDirectory(directory, "kvorum-backup-");
  }
}
