package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code restore}. */
@Command(
    name = "restore",
    description = {
      "Restores a backup into an empty cluster of any size.",
      "Its nodes answer 503 to clients until all records, with their versions, tombstones and times to"
          + " live, are stored. A restore that was interrupted goes on when it is"
          + " started again."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestoreCommand extends ArchiveCommand {
  @Mixin private final BackupOption backup = new BackupOption();
  @Mixin private final NodesOption nodes = new NodesOption();
  @Mixin private final ReportOption report = new ReportOption();

  RestoreCommand() {}

  @Override
  int run(Archive archive) throws IOException, InterruptedException {
    BackupManifest manifest = backup.of(archive);
    Restoration restoration = new Restoration(archive, manifest, store(), nodes.nodes(), err());
    restoration.run();
    report.write(Map.of("id", manifest.id(), "summary", restoration.done()));
    out().println("Backup " + manifest.id() + " is restored: " + restoration.done());
    return 0;
  }
}
