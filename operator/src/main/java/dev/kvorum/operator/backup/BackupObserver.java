package dev.kvorum.operator.backup;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.job.JobReader;
import dev.kvorum.operator.job.JobUser;
import dev.kvorum.operator.job.JobUserReader;
import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a backup and everything that it depends on from the API. */
public final class BackupObserver {
  private static final Comparator<KvorumBackup> FIRST =
      Comparator.comparing((KvorumBackup backup) ->
              requireNonNullElse(backup.getMetadata().getCreationTimestamp(), ""))
          .thenComparing(backup -> backup.getMetadata().getName());

  private final KubernetesClient client;
  private final InstantSource clock;

  public BackupObserver(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Returns the current state; empty if there is no such backup. */
  public Optional<BackupObserved> observe(String namespace, String name) {
    List<KvorumBackup> all =
        client.resources(KvorumBackup.class).inNamespace(namespace).list().getItems();
    return all.stream()
        .filter(backup -> backup.getMetadata().getName().equals(name))
        .findFirst()
        .map(backup -> observed(backup, all));
  }

  private BackupObserved observed(KvorumBackup backup, List<KvorumBackup> all) {
    Instant now = clock.instant();
    String namespace = backup.getMetadata().getNamespace();
    Map<String, String> labels = BackupJobs.labels(backup);
    labels.remove(Labels.MANAGED_BY_LABEL);
    String jobName = BackupJobs.name(backup.getMetadata().getName());
    Optional<Job> job =
        client
            .batch()
            .v1()
            .jobs()
            .inNamespace(namespace)
            .withLabels(labels)
            .list()
            .getItems()
            .stream()
            .filter(it -> it.getMetadata().getName().equals(jobName))
            .findFirst();
    List<Pod> pods = client.pods().inNamespace(namespace).withLabels(labels).list().getItems();
    Optional<KvorumCluster> cluster =
        Optional.ofNullable(
                client
                    .resources(KvorumCluster.class)
                    .inNamespace(namespace)
                    .withName(backup.getSpec().cluster())
                    .get())
            .filter(it -> it.getMetadata().getDeletionTimestamp() == null);
    Optional<JobUserReader.Found> user =
        cluster.map(it ->
            JobUserReader.read(
                client, backup, BackupUsers.name(backup.getMetadata().getName()), it));
    return new BackupObserved(
        now,
        backup,
        cluster,
        rival(backup, all),
        user.map(JobUserReader.Found::view).orElseGet(JobUser.Unneeded::new),
        JobReader.view(
            backup.getMetadata().getUid(), BackupJobs.CONTAINER, job.orElse(null), pods, now),
        job,
        user.flatMap(JobUserReader.Found::object));
  }

  /** Returns another backup of the cluster that has precedence. */
  private static Optional<String> rival(KvorumBackup backup, List<KvorumBackup> all) {
    return all.stream()
        .filter(it -> !it.getMetadata().getUid().equals(backup.getMetadata().getUid()))
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> it.getSpec().cluster().equals(backup.getSpec().cluster()))
        .filter(it -> !it.known().ended())
        .filter(it -> it.known().started() || FIRST.compare(it, backup) < 0)
        .min(FIRST)
        .map(it -> it.getMetadata().getName());
  }
}
