package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames.Found;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code list}. */
@Command(
    name = "list",
    description = "Prints the complete backups in a store, oldest first.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ListCommand extends ArchiveCommand {
  private static final String ROW = "%-25s  %-16s  %-24s  %7s  %12s  %12s%s%n";

  ListCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    List<Found> all = archive.list();
    if (all.isEmpty()) {
      err().println("There is no complete backup.");
      return 0;
    }
    out().printf(ROW, "ID", "CLUSTER", "BEGAN", "MEMBERS", "BYTES", "UPLOADED", "  SERIES");
    int code = 0;
    for (Found found : all) {
      try {
        BackupManifest backup = archive.read(found);
        out()
            .printf(
                ROW,
                backup.id(),
                backup.cluster(),
                backup.began(),
                backup.parts().size() + "/" + backup.topology().size(),
                backup.bytes(),
                backup.uploadedBytes(),
                backup.series() == null ? "" : "  " + backup.series());
      } catch (IOException e) {
        err().println(found.id() + ": " + e.getMessage());
        code = 3;
      }
    }
    return code;
  }
}
