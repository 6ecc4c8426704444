package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.job.CommandJobs;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Builds the Job of a backup. Data does not pass through it: it orders the nodes, which have the
 * secrets of the object store themselves, and writes the manifest.
 */
public final class BackupJobs {
  private BackupJobs() {}

  /** The name of the Job that runs or comes next: each attempt has another one. */
  static String name(KvorumBackup backup) {
    int failures = backup.known().failures();
    return backup.getMetadata().getName() + "-backup" + (failures == 0 ? "" : "-" + (failures + 1));
  }

  static Map<String, String> labels(KvorumBackup backup) {
    return Labels.ofJob(Labels.BACKUP, backup);
  }

  static ObjectMeta metadata(KvorumBackup backup, String name) {
    return Labels.ownedMetadata(backup, name, labels(backup));
  }

  /** Returns the Job of a backup that has begun. */
  static Job of(KvorumBackup backup, KvorumCluster cluster, JobUser user, Instant now) {
    return CommandJobs.of(
        cluster,
        metadata(backup, name(backup)),
        BackupPlanner.deadline(backup).getEpochSecond() - now.getEpochSecond(),
        new CommandJobs.Task(
            arguments(backup, cluster),
            user,
            ManagementPort.speaksTls(cluster),
            CommandJobs.Task.MEMORY,
            Optional.empty()));
  }

  private static List<String> arguments(KvorumBackup backup, KvorumCluster cluster) {
    List<String> arguments = new ArrayList<>();
    arguments.add("create");
    arguments.add("--id=" + backup.known().id());
    String name = cluster.getMetadata().getName();
    arguments.add(
        "--nodes="
            + ManagementPort.urls(
                cluster,
                IntStream.range(0, cluster.getSpec().replicas())
                    .mapToObj(ordinal -> name + "-" + ordinal)
                    .toList()));
    arguments.add("--node-credentials");
    arguments.add("--timeout=PT" + Durations.seconds(backup.getSpec().deadline()) + "S");
    if (backup.getSpec().schedule() != null) {
      arguments.add("--series=" + backup.getSpec().schedule());
    }
    return arguments;
  }
}
