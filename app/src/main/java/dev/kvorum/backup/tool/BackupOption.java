package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The backup of a command. */
final class BackupOption {
  @Option(
      names = "--id",
      paramLabel = "ID",
      defaultValue = Archive.LATEST,
      description = "id of the backup, or latest (the default)")
  private String id = Archive.LATEST;

  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Mixin private final SeriesOption series = new SeriesOption();

  BackupOption() {}

  BackupManifest of(Archive archive) throws IOException {
    return archive.find(id, cluster.name(), series.name());
  }
}
