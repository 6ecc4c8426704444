package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.BackupReason;
import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.Durations;
import dev.kvorum.operator.api.KvorumBackup;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Plans the next step of a backup: a user where nodes need one, and a Job, up to four times. */
public final class BackupPlanner {
  /** Before each further Job. */
  private static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(8));

  private BackupPlanner() {}

  /** Returns the next step. */
  public static BackupStep plan(BackupObserved there) {
    if (there.isDeleting()) {
      return new BackupStep.Rest();
    }
    if (there.status().ended()) {
      return cleanUp(there);
    }
    BackupStep next = there.status().started() ? goOn(there) : begin(there);
    return next instanceof BackupStep.Wait wait && isLate(there)
        ? new BackupStep.Fail(
            BackupReason.DEADLINE_EXCEEDED,
            "not complete within " + there.backup().getSpec().deadline() + ": " + wait.message())
        : next;
  }

  /** What may be left of a backup that has ended. */
  private static BackupStep cleanUp(BackupObserved there) {
    if (there.job().active()) {
      return new BackupStep.RemoveJob();
    }
    return there.userObject().isPresent() ? new BackupStep.RemoveUser() : new BackupStep.Rest();
  }

  private static boolean isLate(BackupObserved there) {
    return !there.now().isBefore(deadline(there.backup()));
  }

  static Instant deadline(KvorumBackup backup) {
    return Instant.parse(backup.getMetadata().getCreationTimestamp())
        .plusSeconds(Durations.seconds(backup.getSpec().deadline()));
  }

  private static BackupStep begin(BackupObserved there) {
    if (there.job() instanceof JobView.Foreign) {
      return foreign("Job " + BackupJobs.name(there.backup()));
    }
    if (there.user() instanceof JobUser.Foreign) {
      return foreign("KvorumUser " + BackupUsers.name(there.name()));
    }
    if (there.rival().isPresent()) {
      return new BackupStep.Wait(
          BackupReason.ANOTHER_BACKUP,
          "backup " + there.rival().get() + " of the same cluster goes first",
          false);
    }
    return waitForCluster(there)
        .orElseGet(() ->
            new BackupStep.Begin(
                BackupIds.of(there.backup()), clusterId(there.cluster().orElseThrow())));
  }

  private static BackupStep foreign(String object) {
    return new BackupStep.Wait(
        BackupReason.FOREIGN_OBJECT,
        object + " belongs to another owner: it is neither used nor changed",
        true);
  }

  private static String clusterId(KvorumCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(KvorumClusterStatus::clusterId).orElse("");
  }

  private static Optional<BackupStep> waitForCluster(BackupObserved there) {
    String name = "cluster " + there.backup().getSpec().cluster();
    if (there.cluster().isEmpty()) {
      return wait(BackupReason.CLUSTER_MISSING, "there is no " + name + " in this namespace");
    }
    KvorumCluster cluster = there.cluster().get();
    if (cluster.getSpec().backup() == null) {
      return wait(
          BackupReason.NOT_CONFIGURED, "spec.backup of " + name + " does not say where backups go");
    }
    if (cluster.getSpec().needsUsers() && !ManagementPort.speaksTls(cluster)) {
      return wait(
          BackupReason.NOT_CONFIGURED,
          "nodes of "
              + name
              + " take orders from an administrator only, whose token is sent by TLS: its setting"
              + " kvorum.tls.management must be permissive or required");
    }
    Optional<Condition> ready =
        Optional.ofNullable(cluster.getStatus())
            .flatMap(status -> Conditions.find(status.conditions(), "Ready"));
    if (ready.filter(it -> it.getStatus().equals("True")).isEmpty()) {
      return wait(
          BackupReason.CLUSTER_NOT_READY,
          name
              + " is not ready"
              + ready.map(it -> ": " + it.getReason() + ": " + it.getMessage()).orElse(""));
    }
    return Optional.empty();
  }

  private static Optional<BackupStep> wait(BackupReason reason, String message) {
    return Optional.of(new BackupStep.Wait(reason, message, true));
  }

  private static BackupStep goOn(BackupObserved there) {
    return switch (there.job()) {
      case JobView.Absent _ -> isPaused(there) ? new BackupStep.Pause() : create(there);
      case JobView.Foreign _ -> foreign("Job " + BackupJobs.name(there.backup()));
      case JobView.Pending pending ->
          new BackupStep.Wait(
              BackupReason.POD_PENDING,
              pending.trouble().map(JobView.Trouble::message).orElse("its pod is starting"),
              pending.trouble().isPresent());
      case JobView.Running _ ->
          new BackupStep.Wait(BackupReason.RUNNING, "nodes upload their files", false);
      case JobView.Succeeded done -> complete(done);
      case JobView.Failed failed -> failed(there, failed);
    };
  }

  private static boolean isPaused(BackupObserved there) {
    String retryAt = there.status().retryAt();
    return retryAt != null && there.now().isBefore(Instant.parse(retryAt));
  }

  /** What stops a backup, such as a member that restarts, often passes. */
  private static BackupStep failed(BackupObserved there, JobView.Failed failed) {
    BackupReason reason = reason(failed.cause());
    int failures = there.status().failures();
    if (failures == PAUSES.size() || failed.cause() == JobView.Cause.DEADLINE) {
      return new BackupStep.Fail(reason, failed.message());
    }
    Instant at = there.now().plus(PAUSES.get(failures)).truncatedTo(ChronoUnit.SECONDS);
    return at.isBefore(deadline(there.backup()))
        ? new BackupStep.Retry(reason, failed.message(), at)
        : new BackupStep.Fail(reason, failed.message());
  }

  private static BackupStep create(BackupObserved there) {
    if (there.cluster().isEmpty()
        || !clusterId(there.cluster().get())
            .equals(Objects.requireNonNullElse(there.status().clusterId(), ""))) {
      return new BackupStep.Fail(
          BackupReason.CLUSTER_MISSING,
          "cluster " + there.backup().getSpec().cluster() + " was deleted");
    }
    Optional<BackupStep> wait = waitForCluster(there);
    if (wait.isPresent()) {
      return wait.get();
    }
    String user = "KvorumUser " + BackupUsers.name(there.name());
    return switch (there.user()) {
      case JobUser.Unneeded _, JobUser.Ready _ -> new BackupStep.CreateJob();
      case JobUser.Absent _ -> new BackupStep.CreateUser();
      case JobUser.Foreign _ -> foreign(user);
      case JobUser.NotReady not ->
          new BackupStep.Wait(
              BackupReason.USER_NOT_READY, user + " is not ready: " + not.why(), not.trouble());
    };
  }

  private static BackupStep complete(JobView.Succeeded done) {
    Optional<BackupResult> read = BackupReports.read(done.message());
    return read.<BackupStep>map(BackupStep.Complete::new)
        .orElseGet(() ->
            new BackupStep.Fail(
                BackupReason.UNREADABLE_REPORT,
                "its container reported no result; the manifest in the object store tells whether"
                    + " the backup is complete"));
  }

  private static BackupReason reason(JobView.Cause cause) {
    return switch (cause) {
      case EXIT -> BackupReason.JOB_FAILED;
      case KILLED -> BackupReason.POD_KILLED;
      case EVICTED -> BackupReason.POD_EVICTED;
      case DEADLINE -> BackupReason.DEADLINE_EXCEEDED;
    };
  }
}
