package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.TaskView;

/** The ends of tasks that are the same for all actions. */
final class MemberTask {
  private MemberTask() {}

  static Step failed(TaskView task, Notice why) {
    return new Step.EndTask(task.name(), false, why);
  }

  static Step outdated(TaskView task) {
    return failed(
        task,
        new Notice(
            Reason.TASK_OUTDATED,
            "it is older than the cluster, and was meant for another one of that name"));
  }

  static Notice noOtherCopy(TaskView task) {
    return new Notice(
        Reason.NO_OTHER_COPY,
        "replication is 1: the only copies of its records are with " + task.member());
  }

  static Notice notAMember(TaskView task) {
    return new Notice(Reason.NOT_A_MEMBER, task.member() + " is not a member of the cluster");
  }
}
