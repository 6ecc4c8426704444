package dev.kvorum.plugin;

import dev.kvorum.operator.api.TaskAction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code replace}. */
@Command(
    name = "replace",
    description = {
      "Deletes the volume of a member once all others are well; they fill a new one.",
      "For a volume that is failing, or for another storage class."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ReplaceCommand extends TaskCommand {
  @Option(names = "--yes", description = "what the volume has is deleted")
  private boolean isConfirmed;

  ReplaceCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.REPLACE;
  }

  @Override
  void confirm(String member) {
    if (!isConfirmed) {
      throw Target.wrong(
          "The volume of "
              + member
              + " is deleted, with records that no other member has, such as those written with"
              + " from=1. If that is meant, repeat this with --yes");
    }
  }
}
