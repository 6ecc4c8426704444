package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The backup of a command. */
final class BackupOption {
  @Option(
      names = "--id",
      paramLabel = "ID",
      defaultValue = Archive.LATEST,
      description = "id of the backup, or latest (the default)")
  private String id = Archive.LATEST;

  @Option(
      names = "--cluster",
      paramLabel = "CLUSTER",
      description = "id of its cluster, where the store has backups of several")
  private @Nullable String cluster;

  BackupOption() {}

  BackupManifest of(Archive archive) throws IOException {
    return archive.find(id, Optional.ofNullable(cluster));
  }
}
