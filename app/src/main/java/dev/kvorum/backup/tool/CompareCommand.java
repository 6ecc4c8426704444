package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compare}. */
@Command(
    name = "compare",
    description = {
      "Compares a cluster into which a backup was restored with the one that was backed up.",
      "All records of both are read. What was written, deleted or has expired since the backup may"
          + " differ. The restored cluster must not have been written to."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CompareCommand extends ArchiveCommand {
  @Mixin private final BackupOption backup = new BackupOption();
  @Mixin private final ComparisonOption comparison = new ComparisonOption();

  @Option(
      names = "--restored",
      paramLabel = "URL",
      required = true,
      description = "addresses of public ports of the restored cluster, separated by commas")
  private String restored = "";

  CompareCommand() {}

  @Override
  int run(Archive archive) throws IOException, InterruptedException {
    BackupManifest manifest = backup.of(archive);
    String compared = comparison.compare(manifest, comparison.client(restored), err());
    out().println("Backup " + manifest.id() + " has what the cluster has: " + compared);
    return 0;
  }
}
