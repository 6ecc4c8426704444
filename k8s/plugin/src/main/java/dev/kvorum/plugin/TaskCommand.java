package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTaskSpec;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that orders a KvorumTask and waits for its end. */
abstract class TaskCommand extends ClusterCommand {
  @Option(
      names = "--no-wait",
      description = "do not wait for the end; `kubectl kvorum status` shows it")
  private boolean isWithoutWait;

  @Mixin private final WaitOption wait = new WaitOption();

  /** The name of the member. */
  abstract String member();

  /** What the operator is to do. */
  abstract TaskAction action();

  /** Fails if the user must confirm first. */
  abstract void confirm(String member);

  /** Fails if the operator would reject the task for certain. */
  void check(Target target, KvorumCluster cluster) {
    List<String> members = target.members(cluster);
    if (!members.contains(member())) {
      throw Target.wrong(
          "%s is not a member of %s; its members are %s"
              .formatted(member(), cluster.getMetadata().getName(), String.join(", ", members)));
    }
  }

  @Override
  int run(Target target) throws InterruptedException {
    KvorumCluster there = target.cluster();
    String cluster = there.getMetadata().getName();
    String member = member();
    check(target, there);
    confirm(member);
    KvorumTask task = new KvorumTask();
    task.setMetadata(
        new ObjectMetaBuilder()
            .withGenerateName(Words.of(action()).toLowerCase(Locale.ROOT) + "-" + member + "-")
            .withNamespace(target.namespace())
            .build());
    task.setSpec(new KvorumTaskSpec(cluster, action(), member));
    String name = target.client().resource(task).create().getMetadata().getName();
    out().println("KvorumTask " + name + " is created");
    Resource<KvorumTask> resource =
        target.client().resources(KvorumTask.class).inNamespace(target.namespace()).withName(name);
    return await(
        "the task " + name + " goes on; kubectl get kvorumtasks " + name,
        () -> {
          KvorumTask now = resource.get();
          if (now == null) {
            throw Target.failed("The task was deleted");
          }
          return new WaitOption.Progress(
              message(now),
              now.known().ended()
                  ? OptionalInt.of(exitCode(Objects.requireNonNull(now.known().phase())))
                  : OptionalInt.empty());
        });
  }

  /**
   * Prints progress until the end, and returns the exit code.
   *
   * @param leaving what is said if this ends earlier, such as by Ctrl-C
   */
  final int await(String leaving, Supplier<WaitOption.Progress> progress)
      throws InterruptedException {
    return isWithoutWait ? 0 : wait.await(out(), leaving, () -> err().println(leaving), progress);
  }

  static int exitCode(TaskPhase end) {
    return end == TaskPhase.COMPLETE ? 0 : CommandException.FAILED;
  }

  /** What a task does or waits for. */
  static String message(KvorumTask task) {
    return Conditions.find(task.known().conditions(), "Complete")
        .map(TaskCommand::message)
        .orElse("the operator has not seen it yet");
  }

  static String message(Condition condition) {
    return condition.getReason() + ": " + condition.getMessage();
  }
}
