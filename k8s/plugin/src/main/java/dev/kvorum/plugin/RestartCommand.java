package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.TaskAction;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code restart}. */
@Command(
    name = "restart",
    description = "Restarts a member once all others are well, or all, one after the other.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RestartCommand extends TaskCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "MEMBER",
      description = "name of the member, such as kvorum-1")
  private @Nullable String member;

  @Option(
      names = "--all",
      description = "all members: sets spec.restartedAt of the KvorumCluster to the time")
  private boolean isOfAll;

  RestartCommand() {}

  @Override
  TaskAction action() {
    return TaskAction.RESTART;
  }

  @Override
  String member() {
    return Objects.requireNonNullElse(member, "");
  }

  @Override
  void confirm(String member) {
    // Nothing is lost.
  }

  @Override
  int run(Target target) throws InterruptedException {
    if (isOfAll == (member != null)) {
      throw Target.wrong("Name a member, or all with --all");
    }
    return isOfAll ? restartAll(target) : super.run(target);
  }

  private int restartAll(Target target) throws InterruptedException {
    String name = target.cluster().getMetadata().getName();
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    long generation = target.patchSpec(name, "restartedAt", '"' + now + '"');
    out().println("spec.restartedAt of " + name + " is " + now);
    out().flush();
    return await(
        "the members restart all the same; kubectl kvorum status " + name,
        () -> progress(target.existing(name), generation));
  }

  /** How far the operator is with the spec of a generation. */
  static WaitOption.Progress progress(KvorumCluster cluster, long generation) {
    KvorumClusterStatus status = cluster.known();
    Long observed = status.observedGeneration();
    if (observed == null || observed < generation) {
      return new WaitOption.Progress("the operator has not seen it yet", OptionalInt.empty());
    }
    Optional<Condition> stalled = Conditions.ifTrue(status.conditions(), Conditions.STALLED);
    if (stalled.isPresent()) {
      return new WaitOption.Progress(
          TaskCommand.message(stalled.get()), OptionalInt.of(CommandException.FAILED));
    }
    if (Conditions.ifTrue(status.conditions(), "Ready").isPresent()) {
      return new WaitOption.Progress("all members have restarted", OptionalInt.of(0));
    }
    return new WaitOption.Progress(
        Conditions.find(status.conditions(), "Ready").map(TaskCommand::message).orElse("it begins"),
        OptionalInt.empty());
  }
}
