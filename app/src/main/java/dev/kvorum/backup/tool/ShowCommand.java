package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.Manifests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code show}. */
@Command(
    name = "show",
    description = "Prints what a backup contains, as JSON.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ShowCommand extends ArchiveCommand {
  @Mixin private final BackupOption backup = new BackupOption();

  ShowCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    BackupManifest manifest = backup.of(archive);
    out().println(new String(Manifests.encode(manifest), StandardCharsets.UTF_8));
    return 0;
  }
}
