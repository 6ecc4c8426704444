package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.manifest.BackupFile;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames;
import dev.kvorum.backup.manifest.VerifiedStream;
import dev.kvorum.cli.ClientAccess;
import dev.kvorum.topology.Feature;
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
    checksums,
    /** A throw-away node into which it is restored has what the cluster has. */
    drill
  }

  @Mixin private final BackupOption backup = new BackupOption();

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "checksums",
      description =
          "presence: all files are there, with their lengths; checksums (the default): they are"
              + " also read, and their SHA-256 compared; drill: they are restored into a throw-away"
              + " node on this machine, and its records compared with those of the cluster at --url")
  private Level level = Level.checksums;

  @Mixin private final ReportOption report = new ReportOption();

  @Mixin private final WorkDirectoryOption workDirectory = new WorkDirectoryOption();

  @Mixin private final ComparisonOption comparison = new ComparisonOption();

  /**
   * What was verified, by a backup that is whole.
   *
   * @param lacks features that nodes of this release do not have
   */
  private record Report(
      String id,
      String cluster,
      String level,
      int replication,
      List<String> features,
      List<String> lacks,
      int members,
      long bytes,
      long largestPart,
      long newestStamp,
      String summary) {
    static Report of(BackupManifest whole, Level level, String summary) {
      return new Report(
          whole.id(),
          whole.cluster(),
          level.name(),
          whole.replication(),
          whole.features(),
          whole.features().stream().filter(name -> Feature.named(name).isEmpty()).toList(),
          whole.topology().size(),
          whole.bytes(),
          whole.parts().stream().mapToLong(BackupManifest.Part::bytes).max().orElse(0),
          whole.newestStamp(),
          summary);
    }
  }

  VerifyCommand() {}

  @Override
  int run(Archive archive) throws IOException, InterruptedException {
    BackupManifest manifest = backup.of(archive);
    String verified = level == Level.drill ? drill(archive, manifest) : files(archive, manifest);
    report.write(Report.of(manifest, level, verified));
    out().println("Backup " + manifest.id() + " is whole: " + verified);
    return 0;
  }

  private String files(Archive archive, BackupManifest manifest) throws IOException {
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
    return files.size() + " files, verified by " + level;
  }

  private String drill(Archive archive, BackupManifest manifest)
      throws IOException, InterruptedException {
    comparison.check();
    try (ThrowAwayNode node = ThrowAwayNode.start(workDirectory.create())) {
      node.awaitReady();
      Nodes one =
          new Nodes(List.of(node.management()), new ClientAccess(), false, comparison.timeout());
      Restoration restoration = new Restoration(archive, manifest, store(), one, err());
      restoration.run();
      out().println("Restored: " + restoration.done());
      return comparison.compare(manifest, comparison.client(node.url()), err());
    }
  }
}
