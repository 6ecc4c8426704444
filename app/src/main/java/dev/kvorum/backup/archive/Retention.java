package dev.kvorum.backup.archive;

import dev.kvorum.backup.manifest.BackupManifest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Which backups are kept: what any of these rules keeps, and always the newest. Days and weeks are
 * those of UTC.
 *
 * @param last number of the newest backups
 * @param daily number of days, of each of which the newest backup is kept; days without one do not
 *     count
 * @param weekly the same with weeks
 * @param within age up to which all are kept
 */
public record Retention(int last, int daily, int weekly, Duration within) {
  /** The backups that no rule keeps, oldest first. */
  public List<BackupManifest> dropped(List<BackupManifest> all, Instant now) {
    List<BackupManifest> newestFirst =
        all.stream().sorted(Comparator.comparing(BackupManifest::began).reversed()).toList();
    Set<BackupManifest> kept = new HashSet<>();
    newestFirst.stream().limit(Math.max(1, last)).forEach(kept::add);
    newestFirst.stream()
        .filter(backup -> !backup.began().isBefore(now.minus(within)))
        .forEach(kept::add);
    keep(newestFirst, daily, Retention::day, kept);
    keep(newestFirst, weekly, Retention::week, kept);
    return newestFirst.reversed().stream().filter(backup -> !kept.contains(backup)).toList();
  }

  private static void keep(
      List<BackupManifest> newestFirst,
      int count,
      Function<LocalDate, Object> period,
      Set<BackupManifest> kept) {
    Set<Object> periods = new HashSet<>();
    for (BackupManifest backup : newestFirst) {
      LocalDate date = backup.began().atZone(ZoneOffset.UTC).toLocalDate();
      if (periods.size() < count && periods.add(period.apply(date))) {
        kept.add(backup);
      }
    }
  }

  private static Object day(LocalDate date) {
    return date;
  }

  private static Object week(LocalDate date) {
    return List.of(
        date.get(IsoFields.WEEK_BASED_YEAR), date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }
}
