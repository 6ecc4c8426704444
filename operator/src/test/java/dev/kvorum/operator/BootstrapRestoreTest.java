package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster that begins with a backup; the operator is another one at each turn. */
class BootstrapRestoreTest extends MockedKubernetes {
  private static final String ID = "20260101T000000Z-00000000";

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeBackups backups;

  @BeforeEach
  void start() {
    backups = new FakeBackups(client);
    kubernetes.create(
        Specs.of(
            Map.of(
                "replicas",
                2,
                "replication",
                1,
                "image",
                "kvorum:1",
                "backup",
                Map.of("volume", Map.of("claimName", "backups")),
                "bootstrap",
                Map.of("restore", Map.of("backup", "daily")))));
  }

  private void turns() {
    for (int turn = 0; turn < 30; turn++) {
      kubernetes.turns(kubernetes.operator(), 1);
    }
  }

  private Optional<Job> job(String name) {
    return Optional.ofNullable(
        client.batch().v1().jobs().inNamespace(FakeKubernetes.NAMESPACE).withName(name).get());
  }

  private static List<String> arguments(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs();
  }

  private Map<String, String> annotations() {
    return client
        .resources(KvorumTopology.class)
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(FakeKubernetes.NAME)
        .get()
        .getMetadata()
        .getAnnotations();
  }

  @Test
  void theBackupIsCheckedThenOrderedByTheTopologyAndRestoredByAJob() {
    turns();
    assertThat(ready().getReason()).isEqualTo("BackupUnusable");
    assertThat(ready().getMessage()).contains("KvorumBackup daily does not exist");
    backups.create("daily");
    turns();
    assertThat(ready().getMessage()).contains("KvorumBackup daily is not complete");
    backups.end("daily", TaskPhase.COMPLETE, ID, Instant.EPOCH);

    turns();
    Job check = job("kvorum-restore-check").orElseThrow();
    assertThat(arguments(check))
        .contains("verify", "--level=presence", "--id=" + ID, "--cluster=the-id");
    assertThat(client.apps().statefulSets().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .as("nothing is created before")
        .isEmpty();
    backups.end(
        check,
        0,
        "{\"id\":\""
            + ID
            + "\",\"features\":[\"content-type\"],\"replication\":1,\"bytes\":1000,\"largestPart\":500}");

    turns();
    assertThat(annotations()).containsEntry("kvorum.dev/restore", ID);
    assertThat(kubernetes.topology().orElseThrow().features()).containsExactly("content-type");
    assertThat(kubernetes.cluster().getStatus().phase()).isEqualTo(ClusterPhase.RESTORING);
    Job restore = job("kvorum-restore").orElseThrow();
    assertThat(arguments(restore))
        .contains(
            "restore",
            "--id=" + ID,
            "--node-credentials",
            "--nodes=http://kvorum-0.kvorum-peers.test.svc:8090,"
                + "http://kvorum-1.kvorum-peers.test.svc:8090");
    backups.end(restore, 0, "{}");

    turns();
    assertThat(annotations()).doesNotContainKey("kvorum.dev/restore");
    assertThat(ready().getStatus()).isEqualTo("True");
  }
}
