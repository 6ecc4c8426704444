package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.RolloutFailure;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.RolloutView;
import dev.kvorum.operator.view.StatefulSetView;
import java.time.Instant;
import java.util.Optional;

/**
 * Plans the way back from an update of which a pod does not become ready (docs/adr/0045). Only the
 * template is changed: {@link RolloutPlanner} restarts the pods that have the other one. The spec
 * is not tried again until it is changed.
 */
final class RollbackPlanner {
  private RollbackPlanner() {}

  /** Rolls back an update once one of its pods has exceeded the deadline. */
  static Optional<Step> next(Observed observed) {
    // The spec may have been changed: its template may follow at once.
    if (!isWanted(observed) || ImagePlanner.isAsking(observed) || obstacle(observed).isPresent()) {
      return Optional.empty();
    }
    return overdue(observed)
        .map(why -> new Step.RollBack(set(observed).specHash(), why.message(), false));
  }

  /** Returns the step that reverts a change of the template after the update was rolled back. */
  static Optional<Step> again(Observed observed) {
    return failed(observed).map(it -> new Step.RollBack(it.specHash(), it.why(), true));
  }

  /** Returns whether the update to the current spec was rolled back. */
  static boolean isRolledBack(Observed observed) {
    return failed(observed).isPresent();
  }

  /** Returns that the update to the current spec was rolled back. */
  static Optional<Notice> rejection(Observed observed) {
    return failed(observed)
        .flatMap(it ->
            Health.notice(
                Reason.ROLLED_BACK,
                "the update was rolled back: "
                    + it.why()
                    + ". Change the spec; to try the same again, change spec.restartedAt"));
  }

  /** Returns what follows if a pod of the update stays in trouble, as the end of a message. */
  static String outlook(Observed observed) {
    String change = ". Change the spec or revert it to continue";
    if (!isWanted(observed)) {
      return change;
    }
    return obstacle(observed)
        .map(why -> change + "; it is not rolled back: " + why)
        .orElseGet(() ->
            "; it is rolled back unless the pod gets ready within "
                + observed.spec().rollout().deadline());
  }

  private static boolean isWanted(Observed observed) {
    return observed.spec().rollout().onFailure() == RolloutFailure.ROLLBACK;
  }

  private static StatefulSetView set(Observed observed) {
    return observed.statefulSet().orElseThrow();
  }

  private static Optional<RolloutView.FailedUpdate> failed(Observed observed) {
    return observed
        .statefulSet()
        .map(StatefulSetView::rollout)
        .filter(rollout -> observed.specHash().filter(rollout::hasFailed).isPresent())
        .flatMap(RolloutView::failed);
  }

  /** Returns why the update cannot be rolled back, or might do harm. */
  private static Optional<String> obstacle(Observed observed) {
    StatefulSetView set = set(observed);
    Optional<String> fallback =
        set.rollout().fallback().filter(hash -> !hash.equals(set.specHash()));
    if (fallback.isEmpty()) {
      return Optional.of("no earlier template is known");
    }
    if (set.rollout().securityDiffers()) {
      return Optional.of("it changes how connections are secured");
    }
    return observed.members().stream().anyMatch(member -> proves(observed, member, fallback.get()))
        ? Optional.empty()
        : Optional.of("no member runs with the template from before");
  }

  /** Returns whether a member is well with the fallback, and has all features that are active. */
  private static boolean proves(Observed observed, TopologyMember member, String fallback) {
    return observed.pod(member).filter(pod -> pod.specHash().equals(fallback)).isPresent()
        && Health.of(observed, member).isEmpty()
        && observed.release(member).features().containsAll(FeaturePlanner.active(observed));
  }

  /** Returns the first member whose pod has the current template and has exceeded the deadline. */
  private static Optional<Notice> overdue(Observed observed) {
    return Health.first(
        observed.members(),
        member ->
            observed
                .pod(member)
                .filter(pod -> pod.specHash().equals(set(observed).specHash()))
                .filter(pod -> isOverdue(observed, pod))
                .flatMap(_ -> Health.of(observed, member)));
  }

  /** A pod that was ready has the whole time again: its update may not be the cause. */
  private static boolean isOverdue(Observed observed, PodView pod) {
    Instant since =
        pod.unreadySince().filter(it -> it.isAfter(pod.createdAt())).orElse(pod.createdAt());
    return !pod.ready()
        && !pod.terminating()
        && observed.now().isAfter(since.plus(observed.spec().rollout().time()));
  }
}
