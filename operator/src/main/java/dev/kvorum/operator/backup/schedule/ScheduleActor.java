package dev.kvorum.operator.backup.schedule;

import dev.kvorum.operator.act.Writes;

/** Executes the steps that write an object; the other steps only change the status. */
public final class ScheduleActor {
  private ScheduleActor() {}

  /** Executes the step and returns whether it was a write of an object. */
  public static boolean act(Writes writes, ScheduleObserved there, ScheduleStep step) {
    switch (step) {
      case ScheduleStep.CreateBackup create ->
          writes.create(ScheduleJobs.backup(there.schedule(), create.at()));
      case ScheduleStep.DeleteBackup delete -> writes.remove(delete.backup());
      case ScheduleStep.CreatePrune create ->
          writes.create(ScheduleJobs.prune(there, create.after()));
      case ScheduleStep.CreateUser _ -> writes.create(ScheduleJobs.user(there.schedule()));
      case ScheduleStep.CreateVerify create ->
          writes.create(ScheduleJobs.verify(there, create.at(), create.id()));
      case ScheduleStep.RemoveJob remove -> writes.removeWithPods(remove.job());
      case ScheduleStep.RemoveUser _ -> there.userObject().ifPresent(writes::remove);
      default -> {
        return false;
      }
    }
    return true;
  }
}
