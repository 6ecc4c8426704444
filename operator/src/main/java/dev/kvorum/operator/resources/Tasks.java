package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTaskStatus;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Builds tasks with the next status. The same input gives the same status: a time changes only with
 * what it belongs to.
 */
public final class Tasks {
  private Tasks() {}

  /** Returns the task in the phase that it has, or waiting, for this reason. */
  public static KvorumTask reported(KvorumTask task, Notice why, Instant now) {
    return in(task, task.known().started() ? TaskPhase.RUNNING : TaskPhase.WAITING, why, now);
  }

  /** Returns the task as it has just started. */
  public static KvorumTask started(
      KvorumTask task, Notice why, Optional<String> replacedUid, Instant now) {
    return in(task, TaskPhase.RUNNING, why, replacedUid, now);
  }

  /** Returns the task in a phase. */
  public static KvorumTask in(KvorumTask task, TaskPhase phase, Notice why, Instant now) {
    return in(task, phase, why, Optional.ofNullable(task.known().replacedUid()), now);
  }

  private static KvorumTask in(
      KvorumTask task, TaskPhase phase, Notice why, Optional<String> replacedUid, Instant now) {
    KvorumTaskStatus before = task.known();
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    boolean starts = phase == TaskPhase.RUNNING && !before.started();
    KvorumTask next = Topologies.copy(task);
    next.setStatus(
        new KvorumTaskStatus(
            phase,
            starts ? time : before.startedAt(),
            replacedUid.orElse(null),
            phase.ended() ? time : null,
            List.of(
                condition(task, "Complete", phase == TaskPhase.COMPLETE, why, now),
                condition(task, "Failed", phase == TaskPhase.FAILED, why, now))));
    return next;
  }

  private static Condition condition(
      KvorumTask task, String type, boolean holds, Notice why, Instant now) {
    return Conditions.next(
            task.known().conditions(), type, holds, why.reason().label(), why.message(), now)
        .build();
  }
}
