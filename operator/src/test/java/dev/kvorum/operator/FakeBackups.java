package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

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
    KvorumBackup backup = new KvorumBackup();
    backup.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).build());
    backup.setSpec(new KvorumBackupSpec("kvorum", "1h"));
    client.resource(backup).create();
  }

  KvorumBackup get(String name) {
    return client.resources(KvorumBackup.class).inNamespace(NAMESPACE).withName(name).get();
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
