package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.RetentionSpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.api.VerifySpec;
import dev.kvorum.operator.backup.schedule.ScheduleObserver;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules of backups with a mock API server; the operator is another one at each turn. */
class BackupScheduleTest extends MockedKubernetes {
  private static final String NAMESPACE = FakeLoad.NAMESPACE;
  private static final RetentionSpec TWO = new RetentionSpec(2, 7, 0, "72h");

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeLoad others;

  @SuppressWarnings("NullAway.Init") // before each test
  private FakeBackups backups;

  private SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Half past an hour. */
  private Instant now = Instant.EPOCH;

  @BeforeEach
  void start() {
    others = new FakeLoad(client);
    backups = new FakeBackups(client);
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
  }

  private static KvorumBackupScheduleSpec every(
      String cron, @Nullable RetentionSpec retention, @Nullable VerifySpec verify) {
    return new KvorumBackupScheduleSpec(
        "kvorum", cron, "UTC", false, false, "1h", retention, verify);
  }

  private void create(String name, KvorumBackupScheduleSpec spec) {
    KvorumBackupSchedule made = backups.schedule(name, spec);
    now =
        Instant.parse(made.getMetadata().getCreationTimestamp())
            .truncatedTo(ChronoUnit.HOURS)
            .plus(90, ChronoUnit.MINUTES);
  }

  private void turns(String name) {
    for (int turn = 0; turn < 6; turn++) {
      registry = new SimpleMeterRegistry();
      BackupScheduleMeters meters = new BackupScheduleMeters(registry);
      new BackupScheduleReconciliation(
              new ScheduleObserver(client, () -> now),
              new KubernetesWrites(client),
              new OperatorMeters(registry),
              meters)
          .once(NAMESPACE, name);
      meters.refresh((namespace, it) -> true);
    }
  }

  private KvorumBackupScheduleStatus status(String name) {
    return client
        .resources(KvorumBackupSchedule.class)
        .inNamespace(NAMESPACE)
        .withName(name)
        .get()
        .known();
  }

  private Condition condition(String name, String type) {
    return Conditions.find(status(name).conditions(), type).orElseThrow();
  }

  private double metric(String name) {
    Gauge gauge = registry.get("kvorum.operator.backup." + name).gauge();
    return gauge.value();
  }

  private List<String> names() {
    return backups.all().stream().map(it -> it.getMetadata().getName()).sorted().toList();
  }

  private String nameAt(String schedule, int hoursAgo) {
    return schedule
        + "-"
        + now.truncatedTo(ChronoUnit.HOURS)
            .minus(hoursAgo, ChronoUnit.HOURS)
            .toString()
            .replaceAll("(\\d+)-(\\d+)-(\\d+)T(\\d+):(\\d+).*", "$1$2$3-$4$5");
  }

  private void complete(String name, String id) {
    backups.end(name, TaskPhase.COMPLETE, id, now);
  }

  private static String id(int number) {
    return "2026010%dT000000Z-00000000".formatted(number);
  }

  private Job job(String name) {
    return others.jobs().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private List<String> jobs() {
    return others.jobs().stream().map(it -> it.getMetadata().getName()).toList();
  }

  private static Container container(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  @Test
  void eachTimeIsOneBackupAndMissedTimesAreOneTogether() {
    create("hourly", every("0 * * * *", null, null));
    turns("hourly");
    String first = nameAt("hourly", 0);
    assertThat(names()).containsExactly(first);
    KvorumBackup made = backups.get(first);
    assertThat(made.getSpec().cluster()).isEqualTo("kvorum");
    assertThat(made.getSpec().deadline()).isEqualTo("1h");
    assertThat(made.getSpec().schedule()).isEqualTo("hourly");
    assertThat(made.getMetadata().getOwnerReferences()).as("it stays").isEmpty();
    assertThat(status("hourly").nextAt())
        .isEqualTo(now.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS).toString());
    assertThat(condition("hourly", "Ready").getReason()).isEqualTo("Scheduled");
    assertThat(condition("hourly", "BackedUp").getReason()).isEqualTo("NoBackupYet");

    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    assertThat(names()).as("one runs").containsExactly(first);
    complete(first, id(1));
    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    assertThat(names()).containsExactly(first, nameAt("hourly", 0));
    assertThat(condition("hourly", "BackedUp").getStatus()).isEqualTo("True");
    assertThat(metric("completed.timestamp.seconds")).isPositive();

    client.resource(backups.get(nameAt("hourly", 0))).delete();
    turns("hourly");
    assertThat(names()).as("a deleted one is not made again").containsExactly(first);
  }

  @Test
  void aBackupThatIsOverdueIsReported() {
    create("hourly", every("0 * * * *", null, null));
    turns("hourly");
    backups.end(nameAt("hourly", 0), TaskPhase.FAILED, id(1), now);
    assertThat(metric("overdue")).isZero();
    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    assertThat(condition("hourly", "BackedUp").getReason()).isEqualTo("Overdue");
    assertThat(metric("overdue")).isEqualTo(1);
    complete(nameAt("hourly", 0), id(2));
    turns("hourly");
    assertThat(metric("overdue")).isZero();
  }

  @Test
  void ofFailedBackupsThreeAreKept() {
    create("hourly", every("0 * * * *", null, null));
    for (int hour = 0; hour < 5; hour++) {
      turns("hourly");
      backups.end(nameAt("hourly", 0), TaskPhase.FAILED, id(hour), now);
      now = now.plus(Duration.ofHours(1));
    }
    now = now.minus(Duration.ofHours(1));
    turns("hourly");
    assertThat(names())
        .containsExactly(nameAt("hourly", 2), nameAt("hourly", 1), nameAt("hourly", 0));
  }

  @Test
  void aScheduleMayBeSuspendedAndBeginAtOnce() {
    create(
        "now",
        new KvorumBackupScheduleSpec("kvorum", "0 0 1 1 *", "UTC", true, true, "1h", null, null));
    turns("now");
    assertThat(names()).isEmpty();
    assertThat(condition("now", "Ready").getReason()).isEqualTo("Suspended");
    assertThat(status("now").nextAt()).isNull();
    edit(
        "now",
        new KvorumBackupScheduleSpec("kvorum", "0 0 1 1 *", "UTC", false, true, "1h", null, null));
    turns("now");
    assertThat(names()).hasSize(1).allMatch(it -> it.startsWith("now-"));
    backups.all().forEach(it -> complete(it.getMetadata().getName(), id(1)));
    turns("now");
    assertThat(names()).hasSize(1);
  }

  private void edit(String name, KvorumBackupScheduleSpec spec) {
    KvorumBackupSchedule schedule =
        client.resources(KvorumBackupSchedule.class).inNamespace(NAMESPACE).withName(name).get();
    schedule.setSpec(spec);
    client.resource(schedule).update();
  }

  @Test
  void whatCannotBeScheduledIsExplained() {
    create("wrong", every("0 25 * * *", null, null));
    turns("wrong");
    assertThat(condition("wrong", "Ready").getReason()).isEqualTo("InvalidSchedule");
    assertThat(condition("wrong", "Ready").getMessage()).contains("0 25 * * *");
    edit(
        "wrong",
        every("0 * * * *", null, new VerifySpec(VerifySpec.Level.PRESENCE, "never", null)));
    turns("wrong");
    assertThat(condition("wrong", "Ready").getMessage()).contains("cron is 'never'");
    others.spec(Specs.of(3, "kvorum:1", "10Gi"));
    edit("wrong", every("0 * * * *", null, null));
    turns("wrong");
    assertThat(condition("wrong", "Ready").getReason()).isEqualTo("NotConfigured");
    assertThat(names()).isEmpty();
  }

  @Test
  void oldBackupsAreDeletedWithTheirObjectsAfterEachNewOne() {
    create("hourly", every("0 * * * *", TWO, null));
    turns("hourly");
    String first = nameAt("hourly", 0);
    complete(first, id(1));
    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    assertThat(jobs()).containsExactly("hourly-prune");
    assertThat(container(job("hourly-prune")).getArgs())
        .contains(
            "prune",
            "--cluster=the-id",
            "--series=hourly",
            "--keep-last=2",
            "--keep-daily=7",
            "--keep-weekly=0",
            "--keep-within=PT259200S")
        .anyMatch(argument -> argument.startsWith("--store=s3://"));
    backups.end(job("hourly-prune"), 0, "{\"deleted\":[],\"kept\":1}");
    turns("hourly");
    assertThat(status("hourly").prunedAfter()).isEqualTo(id(1));
    assertThat(condition("hourly", "Pruned").getMessage()).isEqualTo("0 backups deleted, 1 kept");

    complete(nameAt("hourly", 0), id(2));
    turns("hourly");
    assertThat(client.pods().inNamespace(NAMESPACE).list().getItems()).hasSize(1);
    client.pods().inNamespace(NAMESPACE).delete();
    backups.end(job("hourly-prune"), 0, "{\"deleted\":[\"" + id(1) + "\"],\"kept\":1}");
    turns("hourly");
    assertThat(names()).containsExactly(nameAt("hourly", 0));
    assertThat(condition("hourly", "Pruned").getMessage()).isEqualTo("1 backups deleted, 1 kept");
  }

  @Test
  void aDeletionThatFailsIsRepeatedAfterTheNextBackup() {
    create("hourly", every("0 * * * *", TWO, null));
    turns("hourly");
    complete(nameAt("hourly", 0), id(1));
    turns("hourly");
    backups.end(job("hourly-prune"), 3, "another prune is running");
    turns("hourly");
    assertThat(condition("hourly", "Pruned").getReason()).isEqualTo("PruneFailed");
    assertThat(condition("hourly", "Pruned").getMessage()).contains("another prune is running");
    String failed = job("hourly-prune").getMetadata().getUid();
    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    complete(nameAt("hourly", 0), id(2));
    turns("hourly");
    assertThat(job("hourly-prune").getMetadata().getUid()).isNotEqualTo(failed);
  }

  @Test
  void twoSchedulesOfAClusterDoNotDeleteAtTheSameTime() {
    create("one", every("0 * * * *", TWO, null));
    create("two", every("0 * * * *", TWO, null));
    for (String name : List.of("one", "two")) {
      turns(name);
      complete(nameAt(name, 0), id(1));
      turns(name);
    }
    assertThat(jobs()).containsExactly("one-prune");
    Job first = job("one-prune");
    backups.end(first, 0, "{}");
    FakeBackups.succeed(client, first);
    turns("one");
    turns("two");
    assertThat(jobs()).containsExactly("one-prune", "two-prune");
  }

  @Test
  void theNewestBackupIsVerified() {
    create(
        "hourly",
        every("0 * * * *", null, new VerifySpec(VerifySpec.Level.CHECKSUMS, "15 * * * *", null)));
    turns("hourly");
    assertThat(jobs()).as("there is no backup").isEmpty();
    complete(nameAt("hourly", 0), id(1));
    turns("hourly");
    Job job = job("hourly-verify");
    assertThat(container(job).getArgs())
        .contains("verify", "--cluster=the-id", "--id=" + id(1), "--level=checksums");
    backups.end(job, 0, "{\"summary\":\"12 files, verified by checksums\"}");
    turns("hourly");
    assertThat(condition("hourly", "Verified").getMessage())
        .isEqualTo("backup " + id(1) + ": 12 files, verified by checksums");
    assertThat(metric("verified.timestamp.seconds")).isPositive();

    now = now.plus(Duration.ofHours(1));
    turns("hourly");
    assertThat(job("hourly-verify").getMetadata().getUid())
        .isNotEqualTo(job.getMetadata().getUid());
    client.pods().inNamespace(NAMESPACE).delete();
    backups.end(job("hourly-verify"), 3, "Backup is damaged");
    turns("hourly");
    assertThat(condition("hourly", "Verified").getReason()).isEqualTo("VerificationFailed");
    assertThat(condition("hourly", "Verified").getMessage()).contains("Backup is damaged");
    assertThat(metric("verification.failed")).isEqualTo(1);
    assertThat(status("hourly").lastVerification()).as("of the last that passed").isNotNull();
  }

  @Test
  void aDrillReadsAsAUserOfItsOwn() {
    others.spec(Specs.secured(FakeBackups.SPEC, "strict"));
    create(
        "drilled",
        every(
            "0 * * * *",
            null,
            new VerifySpec(
                VerifySpec.Level.DRILL, "15 * * * *", new VerifySpec.ScratchSpec("5Gi", "fast"))));
    turns("drilled");
    complete(nameAt("drilled", 0), id(1));
    turns("drilled");
    assertThat(others.user("drilled-verify").getSpec().administrator()).isNull();
    assertThat(jobs()).as("nodes do not know it yet").isEmpty();
    others.report("drilled-verify", UserReason.IN_EFFECT);
    turns("drilled");
    Job job = job("drilled-verify");
    assertThat(container(job).getArgs())
        .contains("--level=drill", "--url=https://kvorum.test.svc:8080", "--timeout=PT3600S");
    assertThat(container(job).getEnv()).extracting(it -> it.getName()).contains("KVORUM_TOKEN");
    assertThat(job.getSpec().getTemplate().getSpec().getVolumes())
        .filteredOn(it -> it.getEphemeral() != null)
        .extracting(
            it -> it.getEphemeral().getVolumeClaimTemplate().getSpec().getStorageClassName())
        .containsExactly("fast");
    backups.end(job, 0, "{\"summary\":\"the same: 7 keys\"}");
    turns("drilled");
    assertThat(condition("drilled", "Verified").getMessage()).contains("the same: 7 keys");
    assertThat(others.user("drilled-verify")).isNull();
  }

  @Test
  void backupsOfAnEarlierClusterDoNotCount() {
    create("hourly", every("0 * * * *", TWO, null));
    turns("hourly");
    complete(nameAt("hourly", 0), id(1));
    others.cluster("another-id", true);
    turns("hourly");
    assertThat(jobs()).isEmpty();
    assertThat(condition("hourly", "BackedUp").getReason()).isEqualTo("NoBackupYet");
    assertThat(Map.copyOf(backups.all().getFirst().getMetadata().getLabels()))
        .containsEntry("app.kubernetes.io/instance", "hourly");
  }
}
