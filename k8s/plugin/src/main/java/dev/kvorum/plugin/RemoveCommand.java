package dev.kvorum.plugin;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Reason;
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
  void check(Target target, KvorumCluster cluster) {
    super.check(target, cluster);
    boolean isRunning =
        target.pods(cluster).stream()
            .anyMatch(it -> it.getMetadata().getName().equals(member()) && Target.isReady(it));
    // It may be unreachable all the same, which the operator reports.
    boolean isDegraded = Conditions.ifTrue(cluster.known().conditions(), "Degraded").isPresent();
    if (isRunning && !isDegraded) {
      throw Target.wrong(
          Reason.MEMBER_RUNNING.label()
              + ": "
              + member()
              + " is running, and only a lost member is removed; for fewer members, lower"
              + " spec.replicas");
    }
  }

  @Override
  String loss(String member) {
    return "Records that only " + member + " has are lost with its removal";
  }
}
