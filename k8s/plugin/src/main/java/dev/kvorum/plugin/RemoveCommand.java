package dev.kvorum.plugin;

import dev.kvorum.operator.api.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code remove}. */
@Command(
    name = "remove",
    description = {
      "Removes a member whose machine or volume is lost.",
      "The others copy its share of the records from each other. A record that was only there is lost."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RemoveCommand extends TaskCommand {
  @Option(names = "--yes", description = "the member is lost for good")
  private boolean isConfirmed;

  RemoveCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.REMOVE;
  }

  @Override
  void confirm(String member) {
    if (!isConfirmed) {
      throw Target.wrong(
          "Records that only "
              + member
              + " has are lost with its removal. If it is lost for good, repeat this with --yes");
    }
  }
}
