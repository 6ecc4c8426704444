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
import dev.kvorum.operator.view.VolumeView;
import java.util.List;
import java.util.Optional;

/**
 * Plans the restart of a member or the replacement of its volume, which a task asks for: under the
 * same conditions as a rolling update, but for the member itself, which may be ill. It is done once
 * the member has another pod, or another volume claim, than at the recorded start of the task.
 */
public final class RestartPlanner {
  private RestartPlanner() {}

  /** Starts, continues or ends the task. */
  static Optional<Step> next(Observed observed) {
    return task(observed).flatMap(task -> next(observed, task));
  }

  private static Optional<TaskView> task(Observed observed) {
    return observed.task().filter(task -> task.action() != TaskAction.REMOVE);
  }

  private static boolean replaces(TaskView task) {
    return task.action() == TaskAction.REPLACE;
  }

  private static Optional<Step> next(Observed observed, TaskView task) {
    if (task.outdated()) {
      return Optional.of(MemberTask.outdated(task));
    }
    Optional<TopologyMember> member = observed.epoch().flatMap(now -> now.member(task.member()));
    if (member.isEmpty()) {
      return Optional.of(MemberTask.failed(task, MemberTask.notAMember(task)));
    }
    if (replaces(task) && observed.spec().replication() == 1) {
      return Optional.of(MemberTask.failed(task, MemberTask.noOtherCopy(task)));
    }
    if (isNew(observed, task, member.get())) {
      return Optional.of(end(observed, task, member.get()));
    }
    if (obstacle(observed).isPresent()) {
      return Optional.empty();
    }
    Optional<PodView> pod = observed.pod(member.get());
    Optional<VolumeView> volume = volume(observed, member.get());
    if (task.started()) {
      return replaces(task) ? replace(volume, pod, task) : pod.map(old -> restart(old, task));
    }
    Optional<String> old = replaces(task) ? volume.map(VolumeView::uid) : pod.map(PodView::uid);
    return old.map(uid ->
        new Step.StartTask(
            task.name(),
            replaces(task)
                ? new Notice(
                    Reason.REPLACING_VOLUME, "starts to replace the volume of " + task.member())
                : new Notice(Reason.RESTARTING_POD, "starts the restart of " + task.member()),
            Optional.of(uid)));
  }

  private static Optional<VolumeView> volume(Observed observed, TopologyMember member) {
    return Optional.ofNullable(observed.volumes().get(observed.ordinal(member)));
  }

  private static boolean isNew(Observed observed, TaskView task, TopologyMember member) {
    Optional<String> current =
        replaces(task)
            ? volume(observed, member).map(VolumeView::uid)
            : observed.pod(member).map(PodView::uid);
    return task.replacedUid().isPresent()
        && current.filter(uid -> !uid.equals(task.replacedUid().get())).isPresent();
  }

  private static Step end(Observed observed, TaskView task, TopologyMember member) {
    return Health.of(observed, member)
        .<Step>map(ill -> new Step.Wait(ClusterPhase.UPDATING, ill.reason(), ill.message()))
        .orElseGet(() ->
            new Step.EndTask(
                task.name(),
                true,
                replaces(task)
                    ? new Notice(
                        Reason.REPLACED, task.member() + " has a new volume, which is filled")
                    : new Notice(Reason.RESTARTED, task.member() + " has been restarted")));
  }

  private static Step restart(PodView pod, TaskView task) {
    return pod.terminating()
        ? new Step.Wait(
            ClusterPhase.UPDATING, Reason.RESTARTING_POD, pod.name() + " is being restarted")
        : new Step.RestartPod(pod.name(), pod.uid(), pod.ready(), why(task));
  }

  /** A claim that is deleted goes once no pod uses it. */
  private static Optional<Step> replace(
      Optional<VolumeView> volume, Optional<PodView> pod, TaskView task) {
    return volume
        .filter(old -> !old.deleting())
        .<Step>map(old -> new Step.RemoveVolume(old.name(), old.uid(), why(task)))
        .or(() -> pod.map(user -> restart(user, task)));
  }

  private static String why(TaskView task) {
    return "KvorumTask " + task.name() + " asks for it";
  }

  /** Returns what the task that has not restarted or replaced anything yet waits for. */
  public static Optional<Notice> obstacle(Observed observed) {
    Optional<KvorumTopologySpec> topology = observed.epoch();
    return topology.isEmpty()
        ? Optional.empty()
        : task(observed)
            .filter(task ->
                topology
                    .get()
                    .member(task.member())
                    .filter(it -> isUnderWay(observed, task, it))
                    .isEmpty())
            .flatMap(task -> obstacle(observed, topology.get(), task));
  }

  /** Returns whether the old pod or volume is gone, or cannot be had back. */
  private static boolean isUnderWay(Observed observed, TaskView task, TopologyMember member) {
    return isNew(observed, task, member)
        || (replaces(task)
            && task.started()
            && volume(observed, member).filter(volume -> !volume.deleting()).isEmpty());
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
