package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.TaskView;
import java.util.List;
import java.util.Optional;

/**
 * Plans the removal of a lost member, which a task asks for (docs/adr/0029). Nobody waits for this
 * member, and nothing is copied from it, so all others must be healthy and complete. It is recorded
 * that the task has started before the member is removed, and that it has ended before another
 * change begins: no task removes a member twice.
 */
public final class RemovalPlanner {
  /** What nodes report if they know members that are removed. */
  static final String OPERATION = "removing";

  private RemovalPlanner() {}

  /** Starts, continues or ends the task; {@link ScalePlanner} completes the change. */
  static Optional<Step> next(Observed observed) {
    return task(observed).flatMap(task -> next(observed, task));
  }

  private static Optional<TaskView> task(Observed observed) {
    return observed.task().filter(task -> task.action() == TaskAction.REMOVE);
  }

  private static Optional<Step> next(Observed observed, TaskView task) {
    if (task.outdated()) {
      return Optional.of(MemberTask.outdated(task));
    }
    KvorumTopologySpec topology = observed.epoch().orElseThrow();
    Optional<TopologyMember> member = topology.member(task.member());
    if (task.started() && member.isEmpty()) {
      return Optional.of(
          new Step.EndTask(
              task.name(),
              true,
              new Notice(Reason.REMOVED, task.member() + " is not a member any more")));
    }
    boolean underWay = member.filter(it -> it.state() == MemberState.REMOVING).isPresent();
    if (underWay && task.started()) {
      return Optional.empty();
    }
    Optional<Notice> impossible = underWay ? Optional.empty() : impossible(observed, task);
    if (impossible.isPresent()) {
      return Optional.of(MemberTask.failed(task, impossible.get()));
    }
    if (obstacle(observed).isPresent()) {
      return Optional.empty();
    }
    if (!task.started()) {
      return Optional.of(
          new Step.StartTask(
              task.name(),
              new Notice(Reason.REMOVING, "starts the removal of " + task.member()),
              Optional.empty()));
    }
    return Optional.of(
        new Step.NextEpoch(
            topology.phase() == TopologyPhase.STABLE
                ? EpochChange.removing(topology, member.orElseThrow())
                // It waits for the lost member.
                : EpochChange.cancel(topology)));
  }

  /** Returns whether a task still asks for the removal of this member. */
  static boolean isWanted(Observed observed, TopologyMember removing) {
    return task(observed).filter(task -> task.member().equals(removing.name())).isPresent();
  }

  /** Returns why a removal cannot be had, whatever happens to the others. */
  private static Optional<Notice> impossible(Observed observed, TaskView task) {
    Optional<TopologyMember> member = observed.epoch().orElseThrow().member(task.member());
    if (member.isEmpty()) {
      return Optional.of(MemberTask.notAMember(task));
    }
    Optional<Notice> ill = Health.of(observed, member.get());
    if (ill.isEmpty() || ill.get().reason() == Reason.MEMBER_REBUILDING) {
      return Health.notice(
          Reason.MEMBER_RUNNING,
          task.member()
              + " is running, and only a lost member is removed; for fewer members, lower"
              + " spec.replicas");
    }
    int left = others(observed, task).size();
    int copies = observed.spec().replication();
    if (copies == 1) {
      return Optional.of(MemberTask.noOtherCopy(task));
    }
    return left >= copies
        ? Optional.empty()
        : Health.notice(
            Reason.TOO_FEW_MEMBERS,
            "without "
                + task.member()
                + " there would be "
                + left
                + " members for "
                + copies
                + " copies of a record; if its volume is lost, delete the claim data-"
                + task.member()
                + " and the pod: the new one is filled by the others");
  }

  /** Returns what the task that has not removed its member yet waits for. */
  public static Optional<Notice> obstacle(Observed observed) {
    Optional<KvorumTopologySpec> topology = observed.epoch();
    return topology.isEmpty()
        ? Optional.empty()
        : task(observed).flatMap(task -> obstacle(observed, topology.get(), task));
  }

  private static Optional<Notice> obstacle(
      Observed observed, KvorumTopologySpec topology, TaskView task) {
    Optional<TopologyMember> member = topology.member(task.member());
    if (member.isEmpty() || member.get().state() == MemberState.REMOVING) {
      return Optional.empty();
    }
    List<TopologyMember> others = others(observed, task);
    return Health.first(
        List.of(
            () -> Health.behind(observed, topology),
            () ->
                Health.of(observed, member.get())
                    .filter(ill -> ill.reason() == Reason.MEMBER_STARTING),
            () -> Health.first(others, other -> Health.of(observed, other)),
            () -> Health.first(others, other -> tooOld(observed, other)),
            () -> DiskCheck.fullWithout(observed, member.get()),
            () -> unsettled(observed, topology, others)));
  }

  private static List<TopologyMember> others(Observed observed, TaskView task) {
    return observed.members().stream()
        .filter(member -> member.state() != MemberState.JOINING)
        .filter(member -> !member.name().equals(task.member()))
        .toList();
  }

  private static Optional<Notice> tooOld(Observed observed, TopologyMember member) {
    return Health.has(observed, member, OPERATION)
        ? Optional.empty()
        : Health.notice(
            Reason.NODES_TOO_OLD,
            member.name()
                + " has an image that does not know removals: set a newer one and delete the pod");
  }

  /** A change under way is cancelled, which waits for nobody. */
  private static Optional<Notice> unsettled(
      Observed observed, KvorumTopologySpec topology, List<TopologyMember> others) {
    return topology.phase() != TopologyPhase.STABLE
        ? Optional.empty()
        : Health.unsettled(observed, topology, others)
            .or(() -> Health.unconverged(observed, others));
  }
}
