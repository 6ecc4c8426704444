package dev.kvorum.plugin;

import dev.kvorum.operator.api.TaskAction;
import picocli.CommandLine.Command;

/** {@code restart}. */
@Command(
    name = "restart",
    description = {
      "Restarts a member once all others are well.",
      "All members, one after the other: set spec.restartedAt of the KvorumCluster to the time."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestartCommand extends TaskCommand {
  RestartCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.RESTART;
  }

  @Override
  void confirm(String member) {
    // Nothing is lost.
  }
}
