package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.TaskAction;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
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
    Resource<KvorumCluster> resource =
        target
            .client()
            .resources(KvorumCluster.class)
            .inNamespace(target.namespace())
            .withName(name);
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    KvorumCluster patched =
        resource.patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\": {\"restartedAt\": \"" + now + "\"}}");
    out().println("spec.restartedAt of " + name + " is " + now);
    out().flush();
    long generation = generation(patched);
    return await(
        "the members restart all the same; kubectl kvorum status " + name,
        () -> {
          KvorumCluster there = resource.get();
          if (there == null) {
            throw Target.failed("The cluster was deleted");
          }
          return progress(there, generation);
        });
  }

  static long generation(KvorumCluster cluster) {
    return Objects.requireNonNullElse(cluster.getMetadata().getGeneration(), 0L);
  }

  /** How far the operator is with the spec of a generation. */
  static WaitOption.Progress progress(KvorumCluster cluster, long generation) {
    KvorumClusterStatus status =
        Objects.requireNonNullElse(cluster.getStatus(), KvorumClusterStatus.NONE);
    Long observed = status.observedGeneration();
    if (observed == null || observed < generation) {
      return new WaitOption.Progress("the operator has not seen it yet", OptionalInt.empty());
    }
    Optional<Condition> stalled = condition(status, "Stalled");
    if (stalled.isPresent()) {
      return new WaitOption.Progress(
          TaskCommand.message(stalled.get()), OptionalInt.of(CommandException.FAILED));
    }
    Optional<Condition> ready = condition(status, "Ready");
    if (ready.isPresent()) {
      return new WaitOption.Progress("all members have restarted", OptionalInt.of(0));
    }
    return new WaitOption.Progress(
        Conditions.find(status.conditions(), "Ready").map(TaskCommand::message).orElse("it begins"),
        OptionalInt.empty());
  }

  private static Optional<Condition> condition(KvorumClusterStatus status, String type) {
    return Conditions.find(status.conditions(), type).filter(it -> it.getStatus().equals("True"));
  }
}
