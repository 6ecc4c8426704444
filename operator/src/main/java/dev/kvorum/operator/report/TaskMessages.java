package dev.kvorum.operator.report;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.plan.Plan;
import dev.kvorum.operator.plan.RemovalPlanner;
import dev.kvorum.operator.plan.RestartPlanner;
import dev.kvorum.operator.plan.Step;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.TaskView;

/** Describes what tasks do or wait for. */
public final class TaskMessages {
  private TaskMessages() {}

  /** Returns what a task that has not ended does or waits for. */
  public static Notice of(Observed there, Plan plan, String task) {
    TaskView first = there.task().orElseThrow();
    if (!first.name().equals(task)) {
      return new Notice(Reason.TASK_WAITS, "waits for the end of task " + first.name());
    }
    boolean paused = plan.step() instanceof Step.Wait wait && wait.phase() == ClusterPhase.PAUSED;
    Notice next = StepMessages.of(plan.step());
    return paused
        ? next
        : RemovalPlanner.obstacle(there).or(() -> RestartPlanner.obstacle(there)).orElse(next);
  }
}
