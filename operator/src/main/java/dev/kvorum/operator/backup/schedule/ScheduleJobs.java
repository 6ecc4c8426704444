package dev.kvorum.operator.backup.schedule;

import static java.util.Objects.requireNonNull;

import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupSchedule;
import dev.kvorum.operator.api.KvorumBackupSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.RetentionSpec;
import dev.kvorum.operator.api.VerifySpec;
import dev.kvorum.operator.job.CommandJobs;
import dev.kvorum.operator.job.JobUsers;
import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds what a schedule creates: backups, and Jobs that delete and verify them. */
public final class ScheduleJobs {
  /** What a Job is for: the id or time of its run. A later run needs another Job. */
  static final String RUN = "kvorum.dev/run";

  /** Of the Jobs that delete backups of a cluster; two at once fail. */
  static final String PRUNES = "kvorum.dev/prunes";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmm").withZone(ZoneOffset.UTC);

  /** A node in the container of the command. */
  private static final String DRILL_MEMORY = "1536Mi";

  private ScheduleJobs() {}

  static String pruneName(String schedule) {
    return schedule + "-prune";
  }

  static String verifyName(String schedule) {
    return schedule + "-verify";
  }

  /** The same for the same time, so that it is created once. */
  static String backupName(String schedule, Instant at) {
    return schedule + "-" + NAME.format(at);
  }

  /** The backup of a time. It stays when the schedule is deleted. */
  static KvorumBackup backup(KvorumBackupSchedule schedule, Instant at) {
    String name = schedule.getMetadata().getName();
    KvorumBackup backup = new KvorumBackup();
    backup.setMetadata(
        new ObjectMetaBuilder()
            .withName(backupName(name, at))
            .withNamespace(schedule.getMetadata().getNamespace())
            .withLabels(Labels.ofJob(Labels.SCHEDULE, schedule))
            .build());
    backup.setSpec(
        new KvorumBackupSpec(schedule.getSpec().cluster(), schedule.getSpec().deadline(), name));
    return backup;
  }

  /** The Job that deletes what the rules do not keep. */
  static Job prune(ScheduleObserved there, String after) {
    RetentionSpec rules = requireNonNull(there.spec().retention());
    List<String> arguments = new ArrayList<>();
    arguments.add("prune");
    arguments.add("--cluster=" + clusterId(there));
    arguments.add("--series=" + there.name());
    arguments.add("--keep-last=" + rules.last());
    arguments.add("--keep-daily=" + rules.daily());
    arguments.add("--keep-weekly=" + rules.weekly());
    if (rules.within() != null) {
      arguments.add("--keep-within=PT" + Durations.seconds(rules.within()) + "S");
    }
    Job job = job(there, pruneName(there.name()), after, CommandJobs.Task.ofStore(arguments));
    job.getMetadata().getLabels().put(PRUNES, there.spec().cluster());
    return job;
  }

  /** The Job that verifies a backup. */
  static Job verify(ScheduleObserved there, Instant at, String id) {
    VerifySpec verify = requireNonNull(there.spec().verify());
    List<String> arguments = new ArrayList<>();
    arguments.add("verify");
    arguments.add("--cluster=" + clusterId(there));
    arguments.add("--id=" + id);
    arguments.add("--level=" + verify.level().label());
    CommandJobs.Task task = CommandJobs.Task.ofStore(arguments);
    if (verify.level() == VerifySpec.Level.DRILL) {
      KvorumCluster cluster = there.cluster().orElseThrow();
      // A token is not sent in plain text.
      boolean tls = cluster.getSpec().needsTls();
      arguments.add("--url=" + url(cluster, tls));
      arguments.add("--timeout=PT" + Durations.seconds(there.spec().deadline()) + "S");
      task =
          new CommandJobs.Task(
              arguments, there.user(), tls, DRILL_MEMORY, Optional.of(scratch(verify)));
    }
    return job(there, verifyName(there.name()), at.toString(), task);
  }

  private static String clusterId(ScheduleObserved there) {
    return there
        .cluster()
        .map(KvorumCluster::getStatus)
        .map(KvorumClusterStatus::clusterId)
        .orElse("");
  }

  private static String url(KvorumCluster cluster, boolean tls) {
    return "%s://%s.%s.svc:8080"
        .formatted(
            tls ? "https" : "http",
            cluster.getMetadata().getName(),
            cluster.getMetadata().getNamespace());
  }

  private static Volume scratch(VerifySpec verify) {
    VolumeBuilder volume = new VolumeBuilder().withName("scratch");
    VerifySpec.ScratchSpec scratch = verify.scratch();
    return scratch == null
        ? volume.withNewEmptyDir().endEmptyDir().build()
        : volume
            .withNewEphemeral()
            .withNewVolumeClaimTemplate()
            .withNewSpec()
            .withAccessModes("ReadWriteOnce")
            .withStorageClassName(scratch.storageClass())
            .withNewResources()
            .addToRequests("storage", new Quantity(scratch.size()))
            .endResources()
            .endSpec()
            .endVolumeClaimTemplate()
            .endEphemeral()
            .build();
  }

  private static Job job(ScheduleObserved there, String name, String run, CommandJobs.Task task) {
    ObjectMeta metadata = metadata(there.schedule(), name);
    metadata.setAnnotations(Map.of(RUN, run));
    return CommandJobs.of(
        there.cluster().orElseThrow(), metadata, Durations.seconds(there.spec().deadline()), task);
  }

  private static ObjectMeta metadata(KvorumBackupSchedule schedule, String name) {
    return Labels.ownedMetadata(schedule, name, Labels.ofJob(Labels.SCHEDULE, schedule));
  }

  /** The user of a drill. The operator stores its token. */
  static KvorumUser user(KvorumBackupSchedule schedule) {
    return JobUsers.reader(
        metadata(schedule, verifyName(schedule.getMetadata().getName())),
        schedule.getSpec().cluster());
  }
}
