package dev.kvorum.operator.backup;

import dev.kvorum.operator.act.Writes;

/** Executes the steps that write an object; the other steps only change the status. */
public final class BackupActor {
  private BackupActor() {}

  /** Executes the step and returns whether it was a write of an object. */
  public static boolean act(Writes writes, BackupObserved there, BackupStep step) {
    switch (step) {
      case BackupStep.CreateUser _ -> writes.create(BackupUsers.of(there.backup()));
      case BackupStep.CreateJob _ ->
          writes.create(
              BackupJobs.of(
                  there.backup(), there.cluster().orElseThrow(), there.user(), there.now()));
      case BackupStep.RemoveJob _ -> writes.removeWithPods(there.object().orElseThrow());
      case BackupStep.RemoveUser _ -> there.userObject().ifPresent(writes::remove);
      default -> {
        return false;
      }
    }
    return true;
  }
}
