package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.VerifySpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When schedules make backups. */
class BackupScheduleTest extends Schedules {
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

  @Test
  void whatCannotBeScheduledIsExplained() {
    create("wrong", every("0 25 * * *", null, null));
    turns("wrong");
    assertThat(condition("wrong", "Ready").getReason()).isEqualTo("InvalidSchedule");
    assertThat(condition("wrong", "Ready").getMessage()).contains("0 25 * * *");
    assertThat(metric("overdue")).isEqualTo(1);
    edit("wrong", every("0 0 30 2 *", null, null));
    turns("wrong");
    assertThat(condition("wrong", "Ready").getMessage()).contains("which no time matches");
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
