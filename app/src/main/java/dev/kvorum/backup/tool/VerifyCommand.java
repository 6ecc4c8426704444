package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.VerifiedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verify}. */
@Command(
    name = "verify",
    description = "Verifies that a backup can be restored.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class VerifyCommand extends ArchiveCommand {
  /** How thoroughly. */
  enum Level {
    /** All files are there, with their lengths. */
    presence,
    /** All bytes are those that were backed up. */
    checksums
  }

  @Mixin private final BackupOption backup = new BackupOption();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "checksums",
      description =
          "presence: all files are there, with their lengths; checksums (the default): they are"
              + " also read, and their SHA-256 compared")
  private Level level = Level.checksums;

  VerifyCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    BackupManifest manifest = backup.of(archive);
    List<BackupFile> files = Archive.files(archive.parts(manifest));
    List<String> problems = new ArrayList<>();
    archive.missing(manifest.cluster(), files).forEach(file -> problems.add(file.toString()));
    if (problems.isEmpty() && level == Level.checksums) {
      for (BackupFile file : files) {
        String name = BackupNames.object(manifest.cluster(), file);
        try (InputStream in = new VerifiedStream(archive.store().get(name), file)) {
          in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
          problems.add(name + ": " + e.getMessage());
        }
      }
    }
    problems.forEach(err()::println);
    if (!problems.isEmpty()) {
      throw KvorumBackup.failed(
          "Backup "
              + manifest.id()
              + " is damaged: "
              + problems.size()
              + " of "
              + files.size()
              + " files");
    }
    out()
        .println(
            "Backup "
                + manifest.id()
                + " is whole: "
                + files.size()
                + " files, verified by "
                + level);
    return 0;
  }
}
