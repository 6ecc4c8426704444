package dev.kvorum.plugin;

import dev.kvorum.cli.CommandException;
import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTaskSpec;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that orders a KvorumTask and waits for its end. */
abstract class TaskCommand extends ClusterCommand {
  private static final long POLL_MILLIS = 500;

  @Parameters(paramLabel = "MEMBER", description = "name of the member, such as kvorum-1")
  private String member = "";

  @Option(
      names = "--no-wait",
      description = "do not wait for the end; `kubectl kvorum status` shows it")
  private boolean isWithoutWait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "PT1H",
      description = "longest time to wait, such as PT30M; the task goes on. Default PT1H")
  private Duration timeout = Duration.ofHours(1);

  /** What the operator is to do. */
  abstract TaskAction action();

  /** Fails if the user must confirm first. */
  abstract void confirm(String member);

  @Override
  final int run(Target target) throws InterruptedException {
    String cluster = target.cluster().getMetadata().getName();
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
    if (isWithoutWait) {
      return 0;
    }
    return await(
        target.client().resources(KvorumTask.class).inNamespace(target.namespace()).withName(name));
  }

  private int await(Resource<KvorumTask> resource) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    String said = "";
    while (System.nanoTime() - deadline < 0) {
      KvorumTask task = resource.get();
      if (task == null) {
        throw Target.failed("The task was deleted");
      }
      String message = message(task);
      if (!message.equals(said)) {
        out().println(message);
        out().flush();
        said = message;
      }
      if (task.known().ended()) {
        return exitCode(Objects.requireNonNull(task.known().phase()));
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw Target.failed("The task has not ended within " + timeout + "; it goes on");
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

  private static String message(Condition condition) {
    return condition.getReason() + ": " + condition.getMessage();
  }
}
