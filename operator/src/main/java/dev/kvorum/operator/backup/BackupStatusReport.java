package dev.kvorum.operator.backup;

import dev.kvorum.operator.api.BackupReason;
import dev.kvorum.operator.api.BackupResult;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.EventDraft;
import dev.kvorum.operator.api.KvorumBackupStatus;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Derives a backup's status and Events from the observed state and the next step. */
public final class BackupStatusReport {
  private static final String COMPLETE = "Complete";

  private BackupStatusReport() {}

  private record Why(BackupReason reason, String message) {}

  /** Returns the new status. */
  public static KvorumBackupStatus of(BackupObserved there, BackupStep step) {
    KvorumBackupStatus before = there.status();
    if (isSilent(step)) {
      return before;
    }
    TaskPhase phase = phase(before, step);
    Why why = why(there, step);
    String now = there.now().truncatedTo(ChronoUnit.SECONDS).toString();
    BackupStep.Begin begin = step instanceof BackupStep.Begin it ? it : null;
    BackupStep.Retry retry = step instanceof BackupStep.Retry it ? it : null;
    return new KvorumBackupStatus(
        phase,
        begin == null ? before.id() : begin.id(),
        begin == null ? before.clusterId() : begin.clusterId(),
        begin == null ? before.startedAt() : now,
        retry == null ? before.failedJobs() : Integer.valueOf(before.failures() + 1),
        retry == null ? before.retryAt() : retry.at().toString(),
        phase.ended() ? now : before.endedAt(),
        step instanceof BackupStep.Complete done ? done.result() : before.result(),
        List.of(
            condition(there, why, COMPLETE, phase == TaskPhase.COMPLETE),
            condition(there, why, "Failed", phase == TaskPhase.FAILED)));
  }

  /** Steps that change nothing that was reported. */
  private static boolean isSilent(BackupStep step) {
    return step instanceof BackupStep.Rest
        || step instanceof BackupStep.Pause
        || step instanceof BackupStep.RemoveJob
        || step instanceof BackupStep.RemoveUser;
  }

  private static TaskPhase phase(KvorumBackupStatus before, BackupStep step) {
    return switch (step) {
      case BackupStep.Complete _ -> TaskPhase.COMPLETE;
      case BackupStep.Fail _ -> TaskPhase.FAILED;
      case BackupStep.Begin _ -> TaskPhase.RUNNING;
      default -> before.started() ? TaskPhase.RUNNING : TaskPhase.WAITING;
    };
  }

  private static Condition condition(BackupObserved there, Why why, String type, boolean holds) {
    return Conditions.next(
            there.status().conditions(),
            type,
            holds,
            why.reason().label(),
            why.message(),
            there.now())
        .build();
  }

  private static Why why(BackupObserved there, BackupStep step) {
    return switch (step) {
      case BackupStep.Begin begin ->
          new Why(
              BackupReason.STARTED,
              "orders backup " + begin.id() + " of cluster " + there.backup().getSpec().cluster());
      case BackupStep.CreateUser _ ->
          new Why(
              BackupReason.CREATING_USER, "creates KvorumUser " + BackupUsers.name(there.name()));
      case BackupStep.CreateJob _ ->
          new Why(BackupReason.STARTED, "creates Job " + BackupJobs.name(there.backup()));
      case BackupStep.Complete done -> new Why(BackupReason.COMPLETE, sentence(done.result()));
      case BackupStep.Fail fail -> new Why(fail.reason(), fail.message());
      case BackupStep.Wait wait -> new Why(wait.reason(), wait.message());
      case BackupStep.Retry retry ->
          new Why(
              retry.reason(),
              "Job "
                  + BackupJobs.name(there.backup())
                  + " failed and is repeated at "
                  + retry.at()
                  + ": "
                  + retry.message());
      case BackupStep.Pause _, BackupStep.RemoveJob _, BackupStep.RemoveUser _, BackupStep.Rest _ ->
          new Why(BackupReason.DELETING, "is terminating");
    };
  }

  private static String sentence(BackupResult result) {
    return result.members()
        + " members, "
        + result.bytes()
        + " bytes, "
        + result.uploadedBytes()
        + " uploaded";
  }

  /** Returns the Event of a status that was just written; empty if there is none. */
  public static Optional<EventDraft> event(BackupObserved there, BackupStep step) {
    Why why = why(there, step);
    return switch (step) {
      case BackupStep.Begin _, BackupStep.Complete _ ->
          Optional.of(EventDraft.normal(why.reason().label(), why.message()));
      case BackupStep.Fail _, BackupStep.Retry _ ->
          Optional.of(EventDraft.warning(why.reason().label(), why.message()));
      case BackupStep.Wait wait when wait.trouble() && !isKnown(there, why) ->
          Optional.of(EventDraft.warning(why.reason().label(), why.message()));
      default -> Optional.empty();
    };
  }

  private static boolean isKnown(BackupObserved there, Why why) {
    return Conditions.find(there.status().conditions(), COMPLETE)
        .filter(it -> it.getReason().equals(why.reason().label()))
        .isPresent();
  }
}
