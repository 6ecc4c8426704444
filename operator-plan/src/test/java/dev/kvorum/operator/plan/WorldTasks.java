package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.view.TaskView;
import java.util.Optional;

/** Tasks on members of a {@link World}. */
final class WorldTasks {
  private WorldTasks() {}

  static TaskView task(TaskAction action, int ordinal) {
    String member = World.NAME + "-" + ordinal;
    return new TaskView("task", action, member, false, Optional.empty(), false);
  }

  static TaskView started(TaskView task, Optional<String> replacedUid) {
    return new TaskView(
        task.name(), task.action(), task.member(), true, replacedUid, task.outdated());
  }

  static TaskView outdated(TaskView task) {
    return new TaskView(
        task.name(), task.action(), task.member(), task.started(), task.replacedUid(), true);
  }
}
