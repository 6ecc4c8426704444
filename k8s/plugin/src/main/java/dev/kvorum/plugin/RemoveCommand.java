package dev.kvorum.plugin;

import dev.kvorum.operator.api.TaskAction;
import picocli.CommandLine.Command;

/** {@code remove}. */
@Command(
    name = "remove",
    description = {
      "Removes a member whose machine or volume is lost.",
      "The others copy its share of the records from each other. A record that was only there is lost."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RemoveCommand extends ConfirmedTaskCommand {
  RemoveCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.REMOVE;
  }

  @Override
  String loss(String member) {
    return "Records that only " + member + " has are lost with its removal";
  }
}
