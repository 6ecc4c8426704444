package dev.kvorum.plugin;

import dev.kvorum.operator.api.TaskAction;
import picocli.CommandLine.Command;

/** {@code replace}. */
@Command(
    name = "replace",
    description = {
      "Deletes the volume of a member once all others are well; they fill a new one.",
      "For a volume that is failing, or for another storage class."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ReplaceCommand extends ConfirmedTaskCommand {
  ReplaceCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.REPLACE;
  }

  @Override
  String loss(String member) {
    return "The volume of "
        + member
        + " is deleted, with records that no other member has, such as those written with from=1";
  }
}
