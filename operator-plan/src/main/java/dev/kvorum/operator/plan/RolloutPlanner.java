package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.StatefulSetView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plans a rolling update, one pod at a time. The next pod is restarted only when all members are
 * healthy again, have seen the topology, are connected to their peers and have no hints for them. A
 * pod that is broken by the revision being replaced does not block its own repair. A new revision
 * that breaks its first pod goes no further, and is rolled back ({@link RollbackPlanner}).
 */
public final class RolloutPlanner {
  private RolloutPlanner() {}

  /**
   * Restarts outdated pods that are not members yet or not ready, also during a membership change.
   */
  static Optional<Step> repair(Observed observed) {
    Optional<PodView> idle =
        outdated(observed).stream()
            .filter(pod -> !isMember(observed, pod))
            .filter(pod -> pod.ordinal() < StatefulSetPlanner.replicasMax(observed))
            .findFirst();
    if (idle.isPresent()) {
      return restart(idle.get(), "it is not a member yet");
    }
    Optional<PodView> broken =
        outdated(observed).stream()
            .filter(pod -> !pod.ready())
            .min(Comparator.comparing((PodView pod) -> observed.report(pod).isPresent()));
    if (broken.isEmpty() || updatedInTrouble(observed).isPresent()) {
      return Optional.empty();
    }
    Optional<Notice> holds =
        observed.report(broken.get()).isPresent()
            ? updatedUnhealthy(observed)
            : updatedNotStarted(observed);
    return holds.isPresent()
        ? Optional.empty()
        : restart(broken.get(), "it is not ready and has an outdated template");
  }

  /** Restarts the next outdated pod; waits while the cluster is not healthy. */
  static Optional<Step> next(Observed observed) {
    List<PodView> outdated = outdated(observed);
    // The template may be about to change: no pod is taken for one that is on its way out.
    if (outdated.isEmpty() || ImagePlanner.isAsking(observed)) {
      return Optional.empty();
    }
    Optional<Notice> trouble = updatedInTrouble(observed);
    if (trouble.isPresent()) {
      return Optional.of(
          wait(
              Reason.UPDATE_STALLED,
              "the update is stopped: "
                  + trouble.get().message()
                  + RollbackPlanner.outlook(observed)));
    }
    Optional<Notice> holds =
        Health.first(
            List.of(
                () -> Health.ofMembers(observed),
                () -> observed.epoch().flatMap(now -> Health.unseen(observed, now)),
                () -> Health.unconverged(observed)));
    return holds.isPresent()
        ? Optional.of(wait(Reason.UPDATE_WAITS, holds.get().message()))
        : restart(outdated.getLast(), "its template is outdated");
  }

  /** Returns the wait that follows when a disruption budget does not allow a restart. */
  public static Step notEvictable(Step.RestartPod restart) {
    return wait(
        Reason.UPDATE_WAITS,
        restart.pod() + " cannot be evicted now: a PodDisruptionBudget does not allow it");
  }

  private static Optional<Step> restart(PodView pod, String why) {
    return Optional.of(new Step.RestartPod(pod.name(), pod.uid(), pod.ready(), why));
  }

  private static Step wait(Reason reason, String message) {
    return new Step.Wait(ClusterPhase.UPDATING, reason, message);
  }

  /**
   * Returns the pods that were created from another template than the StatefulSet's, by ordinal and
   * without terminating ones. Before the cluster is founded, another image counts too.
   */
  static List<PodView> outdated(Observed observed) {
    StatefulSetView wanted = observed.statefulSet().orElseThrow();
    return observed.pods().values().stream()
        .filter(pod -> !pod.terminating())
        .filter(pod ->
            !pod.specHash().equals(wanted.specHash())
                || (observed.epoch().isEmpty() && !pod.image().equals(wanted.image())))
        .toList();
  }

  private static boolean isMember(Observed observed, PodView pod) {
    return observed.epoch().isEmpty() || observed.epoch().get().member(pod.name()).isPresent();
  }

  private static Optional<Notice> updatedInTrouble(Observed observed) {
    return Health.first(
        updated(observed),
        member ->
            observed
                .pod(member)
                .filter(pod -> !pod.terminating())
                .flatMap(pod ->
                    pod.trouble()
                        .map(it -> new Notice(Reason.UPDATE_STALLED, pod.name() + ": " + it))));
  }

  private static Optional<Notice> updatedNotStarted(Observed observed) {
    return Health.first(
        updated(observed),
        member ->
            observed.pod(member).filter(pod -> pod.started() && !pod.terminating()).isPresent()
                ? Optional.empty()
                : Health.notice(Reason.MEMBER_STARTING, member.name() + " is being restarted"));
  }

  private static Optional<Notice> updatedUnhealthy(Observed observed) {
    return Health.first(updated(observed), member -> Health.of(observed, member));
  }

  /** Returns the members whose pod has the current template, is terminating or is missing. */
  private static List<TopologyMember> updated(Observed observed) {
    List<String> outdated = outdated(observed).stream().map(PodView::name).toList();
    return observed.members().stream().filter(member -> !outdated.contains(member.name())).toList();
  }
}
