package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.api.VerifySpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How schedules delete and verify backups. */
class ScheduledTasksTest extends Schedules {
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
    assertThat(others.user("drilled-verify").getSpec().administrator()).isFalse();
    assertThat(jobs()).as("nodes do not know it yet").isEmpty();
    assertThat(condition("drilled", "Verified").getReason()).isEqualTo("UserNotReady");
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
}
