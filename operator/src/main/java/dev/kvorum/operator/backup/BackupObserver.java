package dev.kvorum.operator.backup;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.job.CommandJobs;
import dev.kvorum.operator.job.JobUserReader;
import dev.kvorum.operator.job.OwnedJobs;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.JobUser;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
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
    String name = backup.getMetadata().getName();
    OwnedJobs.Found job =
        OwnedJobs.read(client, backup, Labels.BACKUP)
            .named(BackupJobs.name(backup), CommandJobs.CONTAINER, now);
    Optional<KvorumCluster> cluster = cluster(client, backup, backup.getSpec().cluster());
    Optional<JobUserReader.Found> user =
        cluster.map(it -> JobUserReader.read(client, backup, BackupUsers.name(name), it));
    return new BackupObserved(
        now,
        backup,
        cluster,
        rival(backup, all),
        user.map(JobUserReader.Found::view).orElseGet(JobUser.Unneeded::new),
        job.view(),
        job.object(),
        user.flatMap(JobUserReader.Found::object));
  }

  /** The cluster of a name in the namespace of an object; empty also while it is deleted. */
  public static Optional<KvorumCluster> cluster(
      KubernetesClient client, HasMetadata beside, String name) {
    return Optional.ofNullable(
            client
                .resources(KvorumCluster.class)
                .inNamespace(beside.getMetadata().getNamespace())
                .withName(name)
                .get())
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null);
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
