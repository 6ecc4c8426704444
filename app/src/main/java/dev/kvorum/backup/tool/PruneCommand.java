package dev.kvorum.backup.tool;

import dev.kvorum.backup.archive.Archive;
import dev.kvorum.backup.archive.Collector;
import dev.kvorum.backup.archive.Retention;
import dev.kvorum.backup.manifest.BackupManifest;
import dev.kvorum.backup.manifest.BackupNames.Found;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prune}. */
@Command(
    name = "prune",
    description = {
      "Deletes old backups, and files that no backup has any more.",
      "A backup is kept that any rule keeps; the newest always is. Files are deleted by a prune that"
          + " runs a day or more after they were found without a backup."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PruneCommand extends ArchiveCommand {
  @Mixin private final ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--keep-last",
      paramLabel = "N",
      required = true,
      description = "number of the newest backups that are kept")
  private int last;

  @Option(
      names = "--keep-daily",
      paramLabel = "N",
      defaultValue = "0",
      description = "days (UTC), of each of which the newest backup is kept; default 0")
  private int daily;

  @Option(
      names = "--keep-weekly",
      paramLabel = "N",
      defaultValue = "0",
      description = "the same with weeks; default 0")
  private int weekly;

  @Option(
      names = "--keep-within",
      paramLabel = "TIME",
      defaultValue = "PT0S",
      description = "age up to which all are kept, such as P7D; default PT0S")
  private Duration within = Duration.ZERO;

  @Option(names = "--dry-run", description = "print what would be deleted, and delete nothing")
  private boolean isDry;

  PruneCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    if (last < 1 || daily < 0 || weekly < 0 || within.isNegative()) {
      throw KvorumBackup.wrong("--keep-last must be 1 or more, the other rules 0 or more");
    }
    Retention retention = new Retention(last, daily, weekly, within);
    Map<String, List<BackupManifest>> backups = new LinkedHashMap<>();
    for (Found found : archive.list()) {
      if (cluster.includes(found.cluster())) {
        backups
            .computeIfAbsent(found.cluster(), name -> new ArrayList<>())
            .add(archive.read(found));
      }
    }
    for (Map.Entry<String, List<BackupManifest>> of : backups.entrySet()) {
      prune(archive, of.getKey(), of.getValue(), retention);
    }
    return 0;
  }

  private void prune(
      Archive archive, String name, List<BackupManifest> backups, Retention retention)
      throws IOException {
    Collector collector = new Collector(archive.store(), name, InstantSource.system());
    for (BackupManifest old : retention.dropped(backups, Instant.now())) {
      if (!isDry) {
        collector.drop(old);
      }
      out()
          .println((isDry ? "Would delete backup " : "Deleted backup ") + old.id() + " of " + name);
    }
    if (!isDry) {
      Collector.Report report = collector.collect();
      out()
          .println(
              name
                  + ": deleted "
                  + report.deleted()
                  + " files, "
                  + report.marked()
                  + " are deleted in a day at the earliest");
    }
  }
}
