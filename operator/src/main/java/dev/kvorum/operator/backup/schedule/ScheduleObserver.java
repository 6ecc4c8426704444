package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.VerifySpec;
import dev.kvorum.operator.backup.BackupObserver;
import dev.kvorum.operator.job.CommandJobs;
import dev.kvorum.operator.job.JobReader;
import dev.kvorum.operator.job.JobUserReader;
import dev.kvorum.operator.job.OwnedJobs;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads a schedule and everything that it depends on from the API. */
public final class ScheduleObserver {
  private final KubernetesClient client;
  private final InstantSource clock;

  public ScheduleObserver(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Returns the current state; empty if there is no such schedule. */
  public Optional<ScheduleObserved> observe(String namespace, String name) {
    return Optional.ofNullable(
            client
                .resources(KvorumBackupSchedule.class)
                .inNamespace(namespace)
                .withName(name)
                .get())
        .map(this::observed);
  }

  private ScheduleObserved observed(KvorumBackupSchedule schedule) {
    Instant now = clock.instant();
    String name = schedule.getMetadata().getName();
    Optional<KvorumCluster> cluster =
        BackupObserver.cluster(client, schedule, schedule.getSpec().cluster());
    List<KvorumBackup> all =
        client
            .resources(KvorumBackup.class)
            .inNamespace(schedule.getMetadata().getNamespace())
            .list()
            .getItems();
    OwnedJobs jobs = OwnedJobs.read(client, schedule, Labels.SCHEDULE);
    VerifySpec verify = schedule.getSpec().verify();
    Optional<JobUserReader.Found> user =
        cluster
            .filter(it -> verify != null && verify.level() == VerifySpec.Level.DRILL)
            .map(it -> JobUserReader.read(client, schedule, ScheduleJobs.verifyName(name), it));
    return new ScheduleObserved(
        now,
        schedule,
        Times.of(schedule.getSpec(), now),
        cluster,
        all.stream().filter(it -> isOf(it, schedule, cluster)).toList(),
        all.stream().map(it -> it.getMetadata().getName()).collect(Collectors.toSet()),
        isPruning(schedule),
        jobs.named(ScheduleJobs.pruneName(name), CommandJobs.CONTAINER, now),
        jobs.named(ScheduleJobs.verifyName(name), CommandJobs.CONTAINER, now),
        user.map(JobUserReader.Found::view).orElseGet(JobUser.Unneeded::new),
        user.flatMap(JobUserReader.Found::object));
  }

  /** Backups of an earlier cluster of the same name are not this schedule's any more. */
  private static boolean isOf(
      KvorumBackup backup, KvorumBackupSchedule schedule, Optional<KvorumCluster> cluster) {
    String id = backup.known().clusterId();
    return schedule.getMetadata().getName().equals(backup.getSpec().schedule())
        && schedule.getSpec().cluster().equals(backup.getSpec().cluster())
        && backup.getMetadata().getDeletionTimestamp() == null
        && (id == null
            || cluster
                .map(KvorumCluster::getStatus)
                .map(KvorumClusterStatus::clusterId)
                .filter(id::equals)
                .isPresent());
  }

  private boolean isPruning(KvorumBackupSchedule schedule) {
    return client
        .batch()
        .v1()
        .jobs()
        .inNamespace(schedule.getMetadata().getNamespace())
        .withLabel(ScheduleJobs.PRUNES, schedule.getSpec().cluster())
        .list()
        .getItems()
        .stream()
        .filter(job -> !Labels.isOwned(job, schedule))
        .anyMatch(job -> !JobReader.hasEnded(job));
  }
}
