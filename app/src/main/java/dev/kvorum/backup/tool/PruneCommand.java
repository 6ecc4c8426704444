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
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prune}. */
@Command(
    name = "prune",
    description = {
      "Deletes old backups, and files that no backup has any more.",
      "A backup is kept that any rule keeps; the newest always is. At most 100 of a cluster are"
          + " deleted, the oldest first. Files are deleted by a prune that runs a day or more after"
          + " they were found without a backup."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PruneCommand extends ArchiveCommand {
  /** So that the report of one cluster fits a container's termination message. */
  static final int DELETED_MAX = 100;

  @Mixin private final ClusterOption cluster = new ClusterOption();
  @Mixin private final SeriesOption series = new SeriesOption();

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

  @Mixin private final ReportOption report = new ReportOption();

  /**
   * What was done in all clusters.
   *
   * @param kept number of backups of the series that are left
   * @param files number of files that were deleted
   * @param marked number of files that are deleted in a day at the earliest
   */
  private record Report(List<String> deleted, int kept, int files, int marked) {}

  PruneCommand() {}

  @Override
  int run(Archive archive) throws IOException {
    if (last < 1 || daily < 0 || weekly < 0 || within.isNegative()) {
      throw KvorumBackup.wrong("--keep-last must be 1 or more, the other rules 0 or more");
    }
    Retention retention = new Retention(last, daily, weekly, within);
    List<String> deleted = new ArrayList<>();
    int kept = 0;
    int files = 0;
    int marked = 0;
    for (Map.Entry<String, List<BackupManifest>> of : backups(archive).entrySet()) {
      Report one = prune(archive, of.getKey(), of.getValue(), retention);
      deleted.addAll(one.deleted());
      kept += one.kept();
      files += one.files();
      marked += one.marked();
    }
    report.write(new Report(deleted, kept, files, marked));
    return 0;
  }

  /** The backups of the series, of each cluster that has any backup. */
  private Map<String, List<BackupManifest>> backups(Archive archive) throws IOException {
    Optional<String> wanted = series.name();
    Map<String, List<BackupManifest>> backups = new LinkedHashMap<>();
    for (Found found : archive.list()) {
      if (cluster.includes(found.cluster())) {
        List<BackupManifest> of =
            backups.computeIfAbsent(found.cluster(), name -> new ArrayList<>());
        // A prune of another series may delete one meanwhile.
        archive.readIfThere(found).filter(backup -> backup.isOf(wanted)).ifPresent(of::add);
      }
    }
    return backups;
  }

  private Report prune(
      Archive archive, String name, List<BackupManifest> backups, Retention retention)
      throws IOException {
    Collector collector = new Collector(archive.store(), name, InstantSource.system());
    List<BackupManifest> dropped = retention.dropped(backups, Instant.now());
    List<String> deleted = new ArrayList<>();
    for (BackupManifest old : dropped.subList(0, Math.min(dropped.size(), DELETED_MAX))) {
      if (!isDry) {
        collector.drop(old);
        deleted.add(old.id());
      }
      out()
          .println((isDry ? "Would delete backup " : "Deleted backup ") + old.id() + " of " + name);
    }
    if (dropped.size() > DELETED_MAX) {
      out()
          .println(
              name
                  + ": "
                  + (dropped.size() - DELETED_MAX)
                  + " more old backups are left to the next prune");
    }
    if (isDry) {
      return new Report(deleted, backups.size(), 0, 0);
    }
    Optional<Collector.Report> files = collector.collect();
    out()
        .println(
            name
                + files
                    .map(it ->
                        ": deleted "
                            + it.deleted()
                            + " files, "
                            + it.marked()
                            + " are deleted in a day at the earliest")
                    .orElse(": files are left to the next prune, since another one deletes them"));
    return new Report(
        deleted,
        backups.size() - deleted.size(),
        files.map(Collector.Report::deleted).orElse(0),
        files.map(Collector.Report::marked).orElse(0));
  }
}
