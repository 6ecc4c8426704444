package dev.kvorum.operator;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupScheduleSpec;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus;
import dev.kvorum.operator.api.RetentionSpec;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.VerifySpec;
import dev.kvorum.operator.backup.schedule.ScheduleObserver;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** Schedules of backups with a mock API server; the operator is another one at each turn. */
abstract class Schedules extends MockedKubernetes {
  static final String NAMESPACE = FakeLoad.NAMESPACE;
  static final RetentionSpec TWO = new RetentionSpec(2, 7, 0, "72h");

  @SuppressWarnings("NullAway.Init") // before each test
  FakeLoad others;

  @SuppressWarnings("NullAway.Init") // before each test
  FakeBackups backups;

  SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** Half past an hour. */
  Instant now = Instant.EPOCH;

  @BeforeEach
  void start() {
    others = new FakeLoad(client);
    backups = new FakeBackups(client);
    others.spec(FakeBackups.SPEC);
    others.cluster("the-id", true);
  }

  static KvorumBackupScheduleSpec every(
      String cron, @Nullable RetentionSpec retention, @Nullable VerifySpec verify) {
    return new KvorumBackupScheduleSpec(
        "kvorum", cron, "UTC", false, false, "1h", retention, verify);
  }

  void create(String name, KvorumBackupScheduleSpec spec) {
    KvorumBackupSchedule made = backups.schedule(name, spec);
    now =
        Instant.parse(made.getMetadata().getCreationTimestamp())
            .truncatedTo(ChronoUnit.HOURS)
            .plus(90, ChronoUnit.MINUTES);
  }

  void turns(String name) {
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

  KvorumBackupScheduleStatus status(String name) {
    return client
        .resources(KvorumBackupSchedule.class)
        .inNamespace(NAMESPACE)
        .withName(name)
        .get()
        .known();
  }

  Condition condition(String name, String type) {
    return Conditions.find(status(name).conditions(), type).orElseThrow();
  }

  double metric(String name) {
    Gauge gauge = registry.get("kvorum.operator.backup." + name).gauge();
    return gauge.value();
  }

  List<String> names() {
    return backups.all().stream().map(it -> it.getMetadata().getName()).sorted().toList();
  }

  String nameAt(String schedule, int hoursAgo) {
    return schedule
        + "-"
        + now.truncatedTo(ChronoUnit.HOURS)
            .minus(hoursAgo, ChronoUnit.HOURS)
            .toString()
            .replaceAll("(\\d+)-(\\d+)-(\\d+)T(\\d+):(\\d+).*", "$1$2$3-$4$5");
  }

  void complete(String name, String id) {
    backups.end(name, TaskPhase.COMPLETE, id, now);
  }

  static String id(int number) {
    return "2026010%dT000000Z-00000000".formatted(number);
  }

  Job job(String name) {
    return others.jobs().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  List<String> jobs() {
    return others.jobs().stream().map(it -> it.getMetadata().getName()).toList();
  }

  static Container container(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }

  void edit(String name, KvorumBackupScheduleSpec spec) {
    KvorumBackupSchedule schedule =
        client.resources(KvorumBackupSchedule.class).inNamespace(NAMESPACE).withName(name).get();
    schedule.setSpec(spec);
    client.resource(schedule).update();
  }
}
