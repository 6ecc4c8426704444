package dev.kvorum.operator;

import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.KvorumBackupSpec;
import dev.kvorum.operator.api.KvorumBackupStatus;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Backups on an API server, and the ends of their Jobs' pods. */
final class FakeBackups {
  private static final String NAMESPACE = FakeLoad.NAMESPACE;

  static final KvorumClusterSpec SPEC =
      Specs.withBackup(
          3,
          Map.of(
              "s3", Map.of("bucket", "backups"),
              "credentialsRef", Map.of("name", "s3")));

  /** Of a complete backup. */
  static final String REPORT =
      """
      {"id":"any","began":"2026-01-01T00:00:01Z","ended":"2026-01-01T00:00:02Z","parts":2,\
      "members":3,"covered":[3],"bytes":5000000000,"uploadedBytes":7}\
      """;

  private final KubernetesClient client;

  FakeBackups(KubernetesClient client) {
    this.client = client;
  }

  void create(String name) {
    create(name, null);
  }

  void create(String name, @Nullable String schedule) {
    KvorumBackup backup = new KvorumBackup();
    backup.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).build());
    backup.setSpec(new KvorumBackupSpec("kvorum", "1h", schedule));
    client.resource(backup).create();
  }

  /** As the operator reports a backup that has ended. */
  void end(String name, TaskPhase phase, String id, Instant at) {
    KvorumBackup backup = get(name);
    backup.setStatus(
        new KvorumBackupStatus(
            phase,
            id,
            "the-id",
            at.toString(),
            null,
            null,
            at.toString(),
            phase == TaskPhase.COMPLETE
                ? new BackupResult(at.toString(), at.toString(), "3/3", List.of(1, 2, 3), 1L, 1L)
                : null,
            List.of()));
    client.resource(backup).updateStatus();
  }

  KvorumBackupSchedule schedule(String name, KvorumBackupScheduleSpec spec) {
    KvorumBackupSchedule schedule = new KvorumBackupSchedule();
    schedule.setMetadata(
        new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).withGeneration(1L).build());
    schedule.setSpec(spec);
    return client.resource(schedule).create();
  }

  List<KvorumBackup> all() {
    return client.resources(KvorumBackup.class).inNamespace(NAMESPACE).list().getItems();
  }

  KvorumBackup get(String name) {
    return client.resources(KvorumBackup.class).inNamespace(NAMESPACE).withName(name).get();
  }

  /** As its controller reports a Job whose pod has succeeded. */
  static void succeed(KubernetesClient client, Job job) {
    client
        .resource(
            new JobBuilder(job)
                .withNewStatus()
                .addNewCondition()
                .withType("Complete")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build())
        .updateStatus();
  }

  /** As the Job's pod ends. */
  void end(Job job, int code, String message) {
    client
        .resource(
            new PodBuilder(FakeLoad.pod(job, job.getMetadata().getName() + "-pod"))
                .withNewStatus()
                .withPhase(code == 0 ? "Succeeded" : "Failed")
                .addNewContainerStatus()
                .withName("backup")
                .withNewState()
                .withNewTerminated()
                .withExitCode(code)
                .withMessage(message)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build())
        .create();
  }
}
