package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.backup.BackupObserver;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Backups with a mock API server; the operator is another one at each turn. */
class BackupReconciliationTest extends MockedKubernetes {
  private static final String NAMESPACE = FakeLoad.NAMESPACE;

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeLoad others;

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeBackups backups;

  private Instant now = Instant.EPOCH;

  @BeforeEach
  void start() {
    others = new FakeLoad(client);
    backups = new FakeBackups(client);
  }

  private void create(String name) {
    backups.create(name);
    now = Instant.parse(backup(name).getMetadata().getCreationTimestamp());
  }

  private void turns(String name) {
    for (int turn = 0; turn < 5; turn++) {
      new BackupReconciliation(
              new BackupObserver(client, () -> now),
              new KubernetesWrites(client),
              new OperatorMeters(new SimpleMeterRegistry()))
          .once(NAMESPACE, name);
    }
  }

  private KvorumBackup backup(String name) {
    return backups.get(name);
  }

  private Condition complete(String name) {
    return Conditions.find(backup(name).known().conditions(), "Complete").orElseThrow();
  }

  private void assertWaits(String name, String reason, String message) {
    turns(name);
    assertThat(complete(name).getReason()).isEqualTo(reason);
    assertThat(complete(name).getMessage()).contains(message);
    assertThat(jobs()).isEmpty();
  }

  private List<Job> jobs() {
    return others.jobs();
  }

  private static Container container(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  @Test
  void aBackupIsOneJobWhoseReportIsItsResult() {
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
    create("daily");
    turns("daily");
    assertThat(backup("daily").known().phase()).isEqualTo(TaskPhase.RUNNING);
    String id = String.valueOf(backup("daily").known().id());
    assertThat(id).matches("\\d{8}T\\d{6}Z-[0-9a-f]{8}");
    assertThat(jobs()).hasSize(1);
    Job job = jobs().getFirst();
    assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(3600);
    assertThat(container(job).getArgs())
        .contains(
            "create",
            "--id=" + id,
            "--node-credentials",
            "--nodes=http://kvorum-0.kvorum-peers.test.svc:8090,"
                + "http://kvorum-1.kvorum-peers.test.svc:8090,"
                + "http://kvorum-2.kvorum-peers.test.svc:8090")
        .anyMatch(argument -> argument.startsWith("--store=s3://"));

    backups.end(job, 0, FakeBackups.REPORT);
    turns("daily");
    assertThat(backup("daily").known().phase()).isEqualTo(TaskPhase.COMPLETE);
    assertThat(backup("daily").known().result())
        .isEqualTo(
            new BackupResult(
                "2026-01-01T00:00:01Z",
                "2026-01-01T00:00:02Z",
                "2/3",
                List.of(3),
                5_000_000_000L,
                7L));
    assertThat(complete("daily").getMessage())
        .isEqualTo("2/3 members, 5000000000 bytes, 7 uploaded");
    assertThat(client.v1().events().inNamespace(NAMESPACE).list().getItems())
        .extracting(Event::getReason)
        .containsExactlyInAnyOrder("Started", "Complete");
  }

  private void fail(int attempt) {
    turns("failing");
    assertThat(jobs()).hasSize(attempt);
    backups.end(jobs().getLast(), 3, "too few members can make their part");
    turns("failing");
  }

  @Test
  void aJobThatFailsIsRepeatedThreeTimes() {
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
    create("failing");
    fail(1);
    assertThat(backup("failing").known().phase()).isEqualTo(TaskPhase.RUNNING);
    assertThat(complete("failing").getReason()).isEqualTo("JobFailed");
    assertThat(complete("failing").getMessage())
        .startsWith("Job failing-backup failed and is repeated at " + now.plusSeconds(30))
        .contains("too few members");
    now = now.plusSeconds(29);
    turns("failing");
    assertThat(jobs()).hasSize(1);
    now = now.plusSeconds(1);
    others.cluster("the-id", false);
    turns("failing");
    assertThat(complete("failing").getReason()).isEqualTo("ClusterNotReady");
    others.cluster("the-id", true);
    fail(2);
    now = now.plus(Duration.ofMinutes(2));
    fail(3);
    now = now.plus(Duration.ofMinutes(8));
    fail(4);
    assertThat(jobs())
        .extracting(job -> job.getMetadata().getName())
        .containsExactly(
            "failing-backup", "failing-backup-2", "failing-backup-3", "failing-backup-4");
    assertThat(jobs())
        .extracting(job -> container(job).getArgs().get(1))
        .containsOnly("--id=" + backup("failing").known().id());
    assertThat(backup("failing").known().phase()).isEqualTo(TaskPhase.FAILED);
    assertThat(complete("failing").getReason()).isEqualTo("JobFailed");
    assertThat(complete("failing").getMessage()).contains("too few members");
  }

  @Test
  void aJobWithoutAReportIsNotRepeated() {
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
    create("silent");
    turns("silent");
    backups.end(jobs().getLast(), 0, "no JSON");
    turns("silent");
    assertThat(complete("silent").getReason()).isEqualTo("UnreadableReport");
  }

  @Test
  void aBackupWaitsForItsClusterAndOtherBackupsUntilItsDeadline() {
    create("first");
    assertWaits("first", "ClusterMissing", "no cluster kvorum");
    others.spec(Specs.of(3, "kvorum:1", "10Gi"));
    others.cluster("the-id", false);
    assertWaits("first", "NotConfigured", "spec.backup of cluster kvorum");
    others.spec(FakeBackups.SPEC);
    assertWaits("first", "ClusterNotReady", "kvorum-1 is down");
    create("second");
    assertWaits("second", "AnotherBackup", "backup first");

    now = now.plus(Duration.ofHours(1));
    turns("first");
    assertThat(backup("first").known().phase()).isEqualTo(TaskPhase.FAILED);
    assertThat(complete("first").getReason()).isEqualTo("DeadlineExceeded");
    assertThat(complete("first").getMessage())
        .isEqualTo(
            "not complete within 1h: cluster kvorum is not ready: MemberDown: kvorum-1 is down");
    assertThat(jobs()).isEmpty();
  }

  @Test
  void aStuckJobIsRemovedAtTheDeadline() {
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
    create("stuck");
    turns("stuck");
    assertThat(jobs()).hasSize(1);
    now = now.plus(Duration.ofHours(2));
    turns("stuck");
    assertThat(complete("stuck").getReason()).isEqualTo("DeadlineExceeded");
    assertThat(jobs()).isEmpty();
  }

  @Test
  void ordersComeFromAnAdministratorThatIsDeletedAtTheEnd() {
    others.spec(Specs.secured(FakeBackups.SPEC, "strict"));
    others.cluster("the-id", true);
    create("secured");
    turns("secured");
    assertThat(others.user("secured-backup").getSpec().administrator()).isTrue();
    assertThat(jobs()).as("nodes do not know it yet").isEmpty();
    others.report("secured-backup", UserReason.IN_EFFECT);
    turns("secured");
    Container container = container(jobs().getFirst());
    assertThat(container.getArgs())
        .contains("--ca=/etc/kvorum/ca/ca.crt")
        .anyMatch(it -> it.startsWith("--nodes=https://kvorum-0.kvorum-peers.test.svc:8090,"));
    assertThat(container.getEnv())
        .filteredOn(variable -> variable.getName().equals("KVORUM_TOKEN"))
        .extracting(variable -> variable.getValueFrom().getSecretKeyRef().getName())
        .containsExactly("secured-backup-token");
    backups.end(jobs().getFirst(), 0, FakeBackups.REPORT);
    turns("secured");
    assertThat(backup("secured").known().phase()).isEqualTo(TaskPhase.COMPLETE);
    assertThat(others.user("secured-backup")).isNull();
  }

  @Test
  void anotherOwnersJobIsLeftAlone() {
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
    create("daily");
    turns("daily");
    client.resource(backup("daily")).delete();
    create("daily");
    turns("daily");
    assertThat(complete("daily").getReason()).isEqualTo("ForeignObject");
    assertThat(jobs()).hasSize(1);
  }
}
