package dev.kvorum.operator.backup.schedule;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumBackupScheduleStatus.Verification;
import dev.kvorum.operator.api.ScheduleReason;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plans the next step of a schedule. Its three tasks do not wait for each other. */
public final class SchedulePlanner {
  /** Objects of failed backups that are kept, for their reasons. */
  static final int FAILED_KEPT = 3;

  private SchedulePlanner() {}

  /** Why nothing can be done. */
  record Trouble(ScheduleReason reason, String message) {}

  /** Returns the next step. */
  public static ScheduleStep plan(ScheduleObserved there) {
    if (there.isDeleting() || trouble(there).isPresent()) {
      return new ScheduleStep.Rest();
    }
    return backup(there)
        .or(() -> prune(there))
        .or(() -> verify(there))
        .or(() -> forget(there))
        .orElseGet(ScheduleStep.Rest::new);
  }

  static Optional<Trouble> trouble(ScheduleObserved there) {
    if (there.times().invalid().isPresent()) {
      return trouble(ScheduleReason.INVALID_SCHEDULE, there.times().invalid().get());
    }
    String name = "cluster " + there.spec().cluster();
    if (there.cluster().isEmpty()) {
      return trouble(ScheduleReason.CLUSTER_MISSING, "there is no " + name + " in this namespace");
    }
    return there.cluster().get().getSpec().backup() == null
        ? trouble(
            ScheduleReason.NOT_CONFIGURED,
            "spec.backup of " + name + " does not say where backups go")
        : Optional.empty();
  }

  private static Optional<Trouble> trouble(ScheduleReason reason, String message) {
    return Optional.of(new Trouble(reason, message));
  }

  /** The newest time that has come since the last one; times that were missed count once. */
  private static Optional<Instant> due(
      ScheduleObserved there, Optional<Cron> cron, @Nullable String last) {
    Instant since = last == null ? there.createdAt() : Instant.parse(last);
    return cron.flatMap(times -> times.last(there.now())).filter(time -> time.isAfter(since));
  }

  private static Optional<ScheduleStep> backup(ScheduleObserved there) {
    if (there.spec().suspend()) {
      return Optional.empty();
    }
    String last = there.status().scheduledAt();
    Optional<Instant> due = due(there, there.times().backups(), last);
    if (due.isEmpty() && last == null && there.spec().immediate()) {
      due = Optional.of(there.createdAt().truncatedTo(ChronoUnit.MINUTES));
    }
    if (due.isEmpty()) {
      return Optional.empty();
    }
    if (there.taken().contains(ScheduleJobs.backupName(there.name(), due.get()))) {
      return due.map(ScheduleStep.Scheduled::new);
    }
    return there.active().isPresent() ? Optional.empty() : due.map(ScheduleStep.CreateBackup::new);
  }

  private static Optional<ScheduleStep> prune(ScheduleObserved there) {
    String newest = there.newest().map(SchedulePlanner::id).orElse("");
    if (there.spec().retention() == null
        || newest.isEmpty()
        || newest.equals(there.status().prunedAfter())) {
      return Optional.empty();
    }
    return switch (there.prune().view()) {
      case JobView.Absent _ ->
          there.pruning() ? Optional.empty() : Optional.of(new ScheduleStep.CreatePrune(newest));
      case JobView.Foreign _ ->
          Optional.of(
              new ScheduleStep.Pruned(
                  newest, false, foreign("Job " + ScheduleJobs.pruneName(there.name()))));
      case JobView.Pending _, JobView.Running _ -> Optional.empty();
      case JobView.Failed failed ->
          Optional.of(
              isOf(there.prune().object(), newest)
                  ? new ScheduleStep.Pruned(newest, false, failed.message())
                  : remove(there.prune().object()));
      case JobView.Succeeded done ->
          Optional.of(
              isOf(there.prune().object(), newest)
                  ? pruned(there, newest, ScheduleReports.deleted(done.message()))
                  : remove(there.prune().object()));
    };
  }

  /** The objects of deleted backups go too, one after the other. */
  private static ScheduleStep pruned(
      ScheduleObserved there, String after, ScheduleReports.Deleted report) {
    return there.backups().stream()
        .filter(backup -> report.deleted().contains(id(backup)))
        .findFirst()
        .<ScheduleStep>map(ScheduleStep.DeleteBackup::new)
        .orElseGet(() ->
            new ScheduleStep.Pruned(
                after,
                true,
                report.deleted().size() + " backups deleted, " + report.kept() + " kept"));
  }

  static String id(KvorumBackup backup) {
    return requireNonNullElse(backup.known().id(), "");
  }

  private static String run(Job job) {
    return Labels.annotation(job.getMetadata(), ScheduleJobs.RUN).orElse("");
  }

  private static boolean isOf(Optional<Job> job, String run) {
    return job.filter(it -> run(it).equals(run)).isPresent();
  }

  private static ScheduleStep remove(Optional<Job> job) {
    return new ScheduleStep.RemoveJob(job.orElseThrow());
  }

  private static String foreign(String object) {
    return object + " belongs to another owner: it is neither used nor changed";
  }

  private static Optional<ScheduleStep> verify(ScheduleObserved there) {
    if (there.verify().view().active()) {
      return Optional.empty();
    }
    Optional<ScheduleStep> ended = verified(there);
    if (ended.isPresent()) {
      return ended;
    }
    Optional<Instant> due =
        due(there, there.times().verifications(), there.status().verificationScheduledAt());
    if (due.isEmpty() || there.newest().isEmpty()) {
      return there.userObject().map(user -> new ScheduleStep.RemoveUser());
    }
    return switch (there.verify().view()) {
      case JobView.Absent _ -> begin(there, due.get(), id(there.newest().get()));
      case JobView.Foreign _ ->
          Optional.of(
              new ScheduleStep.NotVerified(
                  due.get(), foreign("Job " + ScheduleJobs.verifyName(there.name()))));
      default -> Optional.of(remove(there.verify().object()));
    };
  }

  private static Optional<ScheduleStep> begin(ScheduleObserved there, Instant at, String id) {
    return switch (there.user()) {
      case JobUser.Unneeded _, JobUser.Ready _ ->
          Optional.of(new ScheduleStep.CreateVerify(at, id));
      case JobUser.Absent _ -> Optional.of(new ScheduleStep.CreateUser());
      case JobUser.Foreign _ ->
          Optional.of(
              new ScheduleStep.NotVerified(
                  at, foreign("KvorumUser " + ScheduleJobs.verifyName(there.name()))));
      case JobUser.NotReady not ->
          Optional.of(
              new ScheduleStep.AwaitUser(
                  "KvorumUser "
                      + ScheduleJobs.verifyName(there.name())
                      + " is not ready: "
                      + not.why()));
    };
  }

  /** The result of a Job that has ended and is not recorded yet. */
  private static Optional<ScheduleStep> verified(ScheduleObserved there) {
    Optional<Instant> run =
        there
            .verify()
            .object()
            .map(SchedulePlanner::run)
            .filter(it -> !it.isEmpty())
            .map(Instant::parse);
    String recorded = there.status().verificationScheduledAt();
    if (run.isEmpty() || (recorded != null && !run.get().isAfter(Instant.parse(recorded)))) {
      return Optional.empty();
    }
    return switch (there.verify().view()) {
      case JobView.Succeeded done ->
          Optional.of(new ScheduleStep.Verified(run.get(), verification(there, done)));
      case JobView.Failed failed ->
          Optional.of(new ScheduleStep.NotVerified(run.get(), failed.message()));
      default -> Optional.empty();
    };
  }

  private static Verification verification(ScheduleObserved there, JobView.Succeeded done) {
    List<String> arguments =
        there
            .verify()
            .object()
            .orElseThrow()
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst()
            .getArgs();
    return new Verification(
        option(arguments, "--id="),
        option(arguments, "--level="),
        done.endedAt().orElseGet(() -> there.now().toString()),
        ScheduleReports.summary(done.message()));
  }

  private static String option(List<String> arguments, String name) {
    return arguments.stream()
        .filter(it -> it.startsWith(name))
        .map(it -> it.substring(name.length()))
        .findFirst()
        .orElse("");
  }

  private static Optional<ScheduleStep> forget(ScheduleObserved there) {
    List<KvorumBackup> failed = there.backups(TaskPhase.FAILED);
    return failed.size() <= FAILED_KEPT
        ? Optional.empty()
        : Optional.of(new ScheduleStep.DeleteBackup(failed.getFirst()));
  }
}
