package dev.kvorum.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.BootstrapSpec;
import dev.kvorum.operator.api.BootstrapSpec.RestoreSource;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupStatus;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.job.CommandJobs;
import dev.kvorum.operator.job.CommandReports;
import dev.kvorum.operator.job.JobUserReader;
import dev.kvorum.operator.job.OwnedJobs;
import dev.kvorum.operator.job.RestoreJobs;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.Topologies;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.RestoreView.FoundBackup;
import dev.kvorum.operator.view.RestoreView.Work;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the restore that a cluster begins with: nothing, once it is over. */
final class RestoreReader {
  private static final RestoreSource NOWHERE = new RestoreSource("", null, null);

  private RestoreReader() {}

  /**
   * What was read.
   *
   * @param source where the backup is
   * @param jobs those that look for it and restore it, by name
   * @param user the user that orders come from
   */
  record Read(
      RestoreView view, RestoreSource source, Map<String, Job> jobs, Optional<KvorumUser> user) {}

  static Read read(
      Reads reads, KvorumCluster cluster, Optional<KvorumTopology> topology, Instant now) {
    BootstrapSpec bootstrap = cluster.getSpec().bootstrap();
    Optional<String> ordered = topology.flatMap(Topologies::restore);
    if (ordered.isEmpty() && (bootstrap == null || topology.isPresent())) {
      return new Read(RestoreView.NONE, NOWHERE, Map.of(), Optional.empty());
    }
    String name = cluster.getMetadata().getName();
    Source source =
        bootstrap == null || topology.isPresent()
            ? Source.unneeded()
            : source(reads, cluster, bootstrap);
    OwnedJobs jobs =
        reads.once(
            OwnedJobs.class,
            Labels.RESTORE,
            () -> OwnedJobs.read(reads.client(), cluster, Labels.RESTORE));
    Work check = work(jobs, RestoreJobs.checkName(name), now);
    Optional<JobUserReader.Found> user =
        ordered.map(id ->
            reads.once(
                JobUserReader.Found.class,
                RestoreJobs.restoreName(name),
                () ->
                    JobUserReader.read(
                        reads.client(), cluster, RestoreJobs.restoreName(name), cluster)));
    return new Read(
        new RestoreView(
            ordered,
            source.unknown(),
            check,
            backup(check.job()),
            work(jobs, RestoreJobs.restoreName(name), now),
            user.map(JobUserReader.Found::view).orElseGet(JobUser.Unneeded::new)),
        source.known(),
        jobs.byName(),
        user.flatMap(JobUserReader.Found::object));
  }

  private static Work work(OwnedJobs jobs, String name, Instant now) {
    OwnedJobs.Found found = jobs.named(name, CommandJobs.CONTAINER, now);
    return new Work(
        name,
        found.view(),
        found
            .object()
            .map(job -> job.getMetadata().getCreationTimestamp())
            .filter(Objects::nonNull)
            .map(Instant::parse));
  }

  /**
   * Where the backup is.
   *
   * @param unknown why this is not known
   */
  private record Source(RestoreSource known, Optional<String> unknown) {
    static Source unneeded() {
      return new Source(NOWHERE, Optional.empty());
    }
  }

  private static Source source(Reads reads, KvorumCluster cluster, BootstrapSpec bootstrap) {
    RestoreSource source = bootstrap.restore().source();
    if (source != null) {
      return new Source(source, Optional.empty());
    }
    String name = Objects.requireNonNullElse(bootstrap.restore().backup(), "");
    Optional<KvorumBackupStatus> backup =
        reads.list(KvorumBackup.class, "all", () -> backups(reads.client(), cluster)).stream()
            .filter(it -> it.getMetadata().getName().equals(name))
            .findFirst()
            .map(KvorumBackup::known);
    return backup
        .filter(it -> it.phase() == TaskPhase.COMPLETE)
        .map(it ->
            new Source(
                new RestoreSource(Objects.requireNonNullElse(it.clusterId(), ""), it.id(), null),
                Optional.empty()))
        .orElseGet(() ->
            new Source(
                NOWHERE,
                Optional.of(
                    "KvorumBackup "
                        + name
                        + (backup.isPresent()
                            ? " is not complete"
                            : " does not exist in this namespace"))));
  }

  private static List<KvorumBackup> backups(KubernetesClient client, KvorumCluster cluster) {
    return client
        .resources(KvorumBackup.class)
        .inNamespace(cluster.getMetadata().getNamespace())
        .list()
        .getItems();
  }

  /** What the command has reported. */
  private static Optional<FoundBackup> backup(JobView job) {
    if (!(job instanceof JobView.Succeeded done)) {
      return Optional.empty();
    }
    JsonNode report = CommandReports.read(done.message());
    return report.path("id").isTextual()
        ? Optional.of(
            new FoundBackup(
                report.path("id").asText(),
                CommandReports.texts(report.path("features")),
                CommandReports.texts(report.path("lacks")),
                report.path("replication").asInt(),
                report.path("bytes").asLong(),
                report.path("largestPart").asLong()))
        : Optional.empty();
  }
}
