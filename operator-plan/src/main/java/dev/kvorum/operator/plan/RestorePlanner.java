package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.JobUser;
import dev.kvorum.operator.view.JobView;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.RestoreView;
import dev.kvorum.operator.view.RestoreView.FoundBackup;
import dev.kvorum.operator.view.RestoreView.Work;
import dev.kvorum.operator.view.Sizes;
import java.time.Duration;
import java.util.Optional;

/**
 * Plans the restore of a backup that a new cluster begins with. The backup is looked for before
 * anything is created. The first topology then orders its members to serve no one, a Job restores
 * the records, and at its end the order is withdrawn.
 */
final class RestorePlanner {
  /** Time after which a Job that has failed is repeated. */
  static final Duration RETRY = Duration.ofMinutes(2);

  private RestorePlanner() {}

  /** Returns the backup that the cluster is to be founded with. */
  static Optional<FoundBackup> wanted(Observed observed) {
    return isWanted(observed) ? observed.restore().backup() : Optional.empty();
  }

  private static boolean isWanted(Observed observed) {
    return observed.spec().bootstrap() != null
        && observed.topology().isEmpty()
        && observed.status().epoch() == 0
        && !TopologyRestore.isNeeded(observed);
  }

  /** Reads the backup; does not create a cluster into which it cannot be restored. */
  static Optional<Step> check(Observed observed) {
    if (!isWanted(observed)) {
      return Optional.empty();
    }
    if (observed.spec().backup() == null) {
      return reject("spec.bootstrap.restore needs spec.backup, which says where the backup is");
    }
    if (observed.restore().unknown().isPresent()) {
      return reject(observed.restore().unknown().get());
    }
    Work check = observed.restore().check();
    return switch (check.job()) {
      case JobView.Absent _ -> Optional.of(new Step.CheckBackup());
      case JobView.Foreign _ -> reject(foreign("Job " + check.name()));
      case JobView.Pending pending ->
          wait(ClusterPhase.CREATING, Reason.CHECKING_BACKUP, pending(pending));
      case JobView.Running _ ->
          wait(ClusterPhase.CREATING, Reason.CHECKING_BACKUP, "looks for the backup");
      case JobView.Failed failed ->
          isOld(observed, check)
              ? Optional.of(new Step.RemoveRestoreJob(check.name()))
              : reject("the backup cannot be restored: " + failed.message());
      case JobView.Succeeded _ ->
          observed
              .restore()
              .backup()
              .map(backup -> lacking(observed, backup).or(() -> tooSmall(observed, backup)))
              // Its pod, which had the answer, is gone.
              .orElseGet(() -> Optional.of(new Step.RemoveRestoreJob(check.name())));
    };
  }

  private static Optional<Step> reject(String message) {
    return Optional.of(new Step.Reject(Reason.BACKUP_UNUSABLE, message));
  }

  private static Optional<Step> wait(ClusterPhase phase, Reason reason, String message) {
    return Optional.of(new Step.Wait(phase, reason, message));
  }

  private static String foreign(String object) {
    return object + " exists and does not belong to this cluster: remove it";
  }

  private static String pending(JobView.Pending pending) {
    return pending.trouble().map(JobView.Trouble::message).orElse("the pod of its Job is starting");
  }

  private static boolean isOld(Observed observed, Work work) {
    return work.since().filter(since -> observed.now().isAfter(since.plus(RETRY))).isPresent();
  }

  private static Optional<Step> lacking(Observed observed, FoundBackup backup) {
    return backup.lacks().isEmpty()
        ? Optional.empty()
        : reject(
            "image "
                + observed.image().wanted()
                + " lacks what backup "
                + backup.id()
                + " needs ("
                + String.join(", ", backup.lacks())
                + "): use a release that has it");
  }

  /** A member needs room for its share of the records, and for the largest part beside it. */
  private static Optional<Step> tooSmall(Observed observed, FoundBackup backup) {
    long records = backup.bytes() / Math.max(1, backup.replication());
    long share = records * observed.spec().replication() / observed.spec().replicas();
    long need = (share + backup.largestPart()) / 9 * 10;
    long size = Sizes.bytes(observed.spec().storage().size());
    return size >= need
        ? Optional.empty()
        : Optional.of(
            new Step.Reject(
                Reason.DISK_TOO_SMALL,
                "backup "
                    + backup.id()
                    + " needs "
                    + Math.ceilDiv(need, 1L << 20)
                    + "Mi on each member; raise storage.size or replicas"));
  }

  /** Restores the records that the topology orders. */
  static Optional<Step> next(Observed observed) {
    return observed.restore().ordered().flatMap(id -> next(observed, id));
  }

  private static Optional<Step> next(Observed observed, String id) {
    Work run = observed.restore().run();
    return switch (run.job()) {
      case JobView.Absent _ ->
          observed.spec().backup() == null
              ? restoring("spec.backup, which says where backup " + id + " is, is missing")
              : begin(observed.restore(), id);
      case JobView.Foreign _ -> restoring(foreign("Job " + run.name()));
      case JobView.Pending pending -> restoring(pending(pending));
      case JobView.Running _ -> restoring("restores backup " + id);
      case JobView.Failed failed ->
          isOld(observed, run)
              ? Optional.of(new Step.RemoveRestoreJob(run.name()))
              : wait(
                  ClusterPhase.RESTORING,
                  Reason.RESTORE_FAILED,
                  "backup " + id + " is not restored, which is repeated: " + failed.message());
      case JobView.Succeeded _ ->
          Optional.of(
              hasUser(observed.restore()) ? new Step.RemoveRestoreUser() : new Step.EndRestore(id));
    };
  }

  private static boolean hasUser(RestoreView restore) {
    return restore.user() instanceof JobUser.Ready || restore.user() instanceof JobUser.NotReady;
  }

  private static Optional<Step> begin(RestoreView restore, String id) {
    String user = "KvorumUser " + restore.run().name();
    return switch (restore.user()) {
      case JobUser.Unneeded _, JobUser.Ready _ -> Optional.of(new Step.RestoreBackup(id));
      case JobUser.Absent _ -> Optional.of(new Step.CreateRestoreUser());
      case JobUser.Foreign _ -> restoring(foreign(user));
      case JobUser.NotReady not -> restoring(user + " is not ready: " + not.why());
    };
  }

  private static Optional<Step> restoring(String message) {
    return wait(ClusterPhase.RESTORING, Reason.RESTORING, message);
  }
}
