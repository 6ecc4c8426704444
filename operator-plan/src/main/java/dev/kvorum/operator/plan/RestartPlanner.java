package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.TaskView;
import java.util.List;
import java.util.Optional;

/**
 * Plans the restart of a member, which a task asks for: under the same conditions as a rolling
 * update, but for the member itself, which may be ill. It has been restarted once it has another
 * pod than at the recorded start of the task.
 */
public final class RestartPlanner {
  private RestartPlanner() {}

  /** Starts, continues or ends the task. */
  static Optional<Step> next(Observed observed) {
    return task(observed).flatMap(task -> next(observed, task));
  }

  private static Optional<TaskView> task(Observed observed) {
    return observed.task().filter(task -> task.action() == TaskAction.RESTART);
  }

  private static Optional<Step> next(Observed observed, TaskView task) {
    if (task.outdated()) {
      return Optional.of(MemberTask.outdated(task));
    }
    Optional<TopologyMember> member = observed.epoch().flatMap(now -> now.member(task.member()));
    if (member.isEmpty()) {
      return Optional.of(MemberTask.failed(task, MemberTask.notAMember(task)));
    }
    if (isNew(observed, task, member.get())) {
      return Optional.of(end(observed, task, member.get()));
    }
    if (obstacle(observed).isPresent()) {
      return Optional.empty();
    }
    return observed
        .pod(member.get())
        .map(pod -> task.started() ? restart(pod, task) : start(pod, task));
  }

  private static Step start(PodView pod, TaskView task) {
    return new Step.StartTask(
        task.name(),
        new Notice(Reason.RESTARTING_POD, "starts the restart of " + task.member()),
        Optional.of(pod.uid()));
  }

  private static boolean isNew(Observed observed, TaskView task, TopologyMember member) {
    return task.replacedUid()
        .flatMap(old -> observed.pod(member).filter(pod -> !pod.uid().equals(old)))
        .isPresent();
  }

  private static Step end(Observed observed, TaskView task, TopologyMember member) {
    return Health.of(observed, member)
        .<Step>map(ill -> new Step.Wait(ClusterPhase.UPDATING, ill.reason(), ill.message()))
        .orElseGet(() ->
            new Step.EndTask(
                task.name(),
                true,
                new Notice(Reason.RESTARTED, task.member() + " has been restarted")));
  }

  private static Step restart(PodView pod, TaskView task) {
    return pod.terminating()
        ? new Step.Wait(
            ClusterPhase.UPDATING, Reason.RESTARTING_POD, pod.name() + " is being restarted")
        : new Step.RestartPod(
            pod.name(), pod.uid(), pod.ready(), "KvorumTask " + task.name() + " asks for it");
  }

  /** Returns what the task that has not restarted its member yet waits for. */
  public static Optional<Notice> obstacle(Observed observed) {
    Optional<KvorumTopologySpec> topology = observed.epoch();
    return topology.isEmpty()
        ? Optional.empty()
        : task(observed)
            .filter(task ->
                topology
                    .get()
                    .member(task.member())
                    .filter(it -> isNew(observed, task, it))
                    .isEmpty())
            .flatMap(task -> obstacle(observed, topology.get(), task));
  }

  private static Optional<Notice> obstacle(
      Observed observed, KvorumTopologySpec topology, TaskView task) {
    List<TopologyMember> others =
        observed.members().stream().filter(member -> !member.name().equals(task.member())).toList();
    return Health.first(
        List.of(
            () -> Health.first(others, other -> Health.of(observed, other)),
            () -> Health.behind(observed, topology),
            () -> Health.unconverged(observed, others)));
  }
}
