package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.job.OwnedJobs;
import dev.kvorum.operator.view.JobUser;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The observed state of a schedule and everything that it depends on, at one moment.
 *
 * @param now the time at which this was read
 * @param times those of its spec
 * @param cluster the cluster of that name, if there is one
 * @param backups those of this schedule and the cluster as it is now
 * @param taken names of all backups
 * @param pruning whether another schedule deletes backups of the cluster
 * @param prune the Job that deletes old backups
 * @param verify the Job that verifies the newest backup
 * @param user the user that requests of a drill come from
 * @param userObject the user as it was read, if it is the schedule's own
 */
public record ScheduleObserved(
    Instant now,
    KvorumBackupSchedule schedule,
    Times times,
    Optional<KvorumCluster> cluster,
    List<KvorumBackup> backups,
    Set<String> taken,
    boolean pruning,
    OwnedJobs.Found prune,
    OwnedJobs.Found verify,
    JobUser user,
    Optional<KvorumUser> userObject) {
  private static final Comparator<KvorumBackup> BY_TIME =
      Comparator.comparing((KvorumBackup backup) -> backup.getMetadata().getCreationTimestamp())
          .thenComparing(backup -> backup.getMetadata().getName());

  public ScheduleObserved {
    backups = List.copyOf(backups);
    taken = Set.copyOf(taken);
  }

  String name() {
    return schedule.getMetadata().getName();
  }

  KvorumBackupScheduleSpec spec() {
    return schedule.getSpec();
  }

  KvorumBackupScheduleStatus status() {
    return schedule.known();
  }

  boolean isDeleting() {
    return schedule.getMetadata().getDeletionTimestamp() != null;
  }

  Instant createdAt() {
    return Instant.parse(schedule.getMetadata().getCreationTimestamp());
  }

  /** Backups in a phase, oldest first. */
  List<KvorumBackup> backups(TaskPhase phase) {
    return backups.stream().filter(it -> it.known().phase() == phase).sorted(BY_TIME).toList();
  }

  /** The newest complete backup. */
  Optional<KvorumBackup> newest() {
    List<KvorumBackup> complete = backups(TaskPhase.COMPLETE);
    return complete.isEmpty() ? Optional.empty() : Optional.of(complete.getLast());
  }

  /** A backup that has not ended. */
  Optional<KvorumBackup> active() {
    return backups.stream().filter(it -> !it.known().ended()).findFirst();
  }
}
