package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.StatefulSetView;
import dev.kvorum.operator.view.VolumeView;
import java.util.Optional;

/**
 * Plans the StatefulSet, which has a pod for every member and for the next one to join. Pods of
 * members are created at any time. {@link ScalePlanner} adds that of the next one when it may join,
 * and removes those of members that left.
 */
public final class StatefulSetPlanner {
  private StatefulSetPlanner() {}

  static Optional<Step> next(Observed observed) {
    if (observed.statefulSet().isEmpty()) {
      return withoutCertificates(observed).or(() -> Optional.of(create(observed)));
    }
    StatefulSetView set = observed.statefulSet().get();
    if (set.deleting()) {
      return Optional.of(
          new Step.Wait(
              ClusterPhase.CREATING,
              Reason.CREATING_OBJECTS,
              "waits until the deleted StatefulSet is gone to recreate it"));
    }
    if (set.orphaned()) {
      return Optional.of(new Step.OwnStatefulSet());
    }
    if (observed.specHash().isPresent()
        && ImagePlanner.admits(observed)
        && (isOutdated(observed, set) || otherDefault(observed, set))) {
      boolean rolledOut = RolloutPlanner.outdated(observed).isEmpty();
      return Optional.of(new Step.UpdateStatefulSet(false, rolledOut));
    }
    if (set.template() == StatefulSetView.Template.UNKNOWN) {
      return Optional.of(new Step.SealStatefulSet());
    }
    if (set.template() == StatefulSetView.Template.CHANGED
        && observed.specHash().isPresent()
        && ImagePlanner.admits(observed)) {
      return RollbackPlanner.again(observed)
          .or(() -> Optional.of(new Step.UpdateStatefulSet(true, false)));
    }
    if (withoutCertificates(observed).isEmpty() && templateHasOtherSize(observed, set)) {
      return Optional.of(new Step.RecreateStatefulSet());
    }
    int needed = neededReplicas(observed);
    return set.replicas() < needed
        ? Optional.of(new Step.ScaleStatefulSet(set.replicas(), needed, set.scaledByHand()))
        : Optional.empty();
  }

  /**
   * Waits with the first pods for their certificates. While there are pods, they keep what they
   * have until there are certificates.
   */
  private static Optional<Step> withoutCertificates(Observed observed) {
    if (!observed.pods().isEmpty()
        || !observed.spec().security().issues()
        || observed.objects().certificates().isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new Step.Wait(
            ClusterPhase.CREATING,
            observed.objects().rejected().isEmpty()
                ? Reason.CREATING_OBJECTS
                : Reason.OBJECT_REJECTED,
            "waits for the Secrets with certificates"
                + observed.objects().pending().map(why -> ": " + why).orElse("")));
  }

  /**
   * Returns whether the template is not that of the spec, or another spec's failure is recorded.
   */
  private static boolean isOutdated(Observed observed, StatefulSetView set) {
    return !RollbackPlanner.isRolledBack(observed)
        && (!observed.specHash().equals(Optional.of(set.specHash()))
            || set.rollout().failed().isPresent());
  }

  /**
   * Returns whether the operator's default image has changed before the cluster is founded: until
   * then, the current default applies.
   */
  private static boolean otherDefault(Observed observed, StatefulSetView set) {
    return observed.epoch().isEmpty() && !set.image().equals(observed.image().wanted());
  }

  private static Step create(Observed observed) {
    // Existing pods belong to a StatefulSet that was deleted to be recreated. None of them may end
    // for that, so they can only raise the number.
    int there =
        observed.pods().values().stream()
            .filter(pod -> !pod.terminating())
            .mapToInt(pod -> pod.ordinal() + 1)
            .max()
            .orElse(0);
    return new Step.CreateStatefulSet(Math.max(neededReplicas(observed), there));
  }

  /**
   * Returns whether the template has another size than all volumes have been given: volumes of
   * future members need it from the start. A smaller one follows a size that was taken back. A new
   * StatefulSet would not have the fallback, so it waits for the end of an update and of what
   * follows its failure.
   */
  private static boolean templateHasOtherSize(Observed observed, StatefulSetView set) {
    long wanted = VolumePlanner.wantedBytes(observed);
    return !RollbackPlanner.isRolledBack(observed)
        && (set.rollout().fallback().isEmpty() || RolloutPlanner.outdated(observed).isEmpty())
        && set.volumeBytes() != wanted
        && wanted > 0
        && observed.specHash().isPresent()
        && ImagePlanner.admits(observed)
        && !observed.volumes().isEmpty()
        && !VolumePlanner.areTooLarge(observed)
        && observed.volumes().values().stream()
            .filter(volume -> !volume.deleting())
            .map(VolumeView::bytes)
            .allMatch(bytes -> bytes >= wanted);
  }

  /**
   * Returns the number of pods of members, or of those that the cluster will be founded with. While
   * the topology is lost, all volumes need their pods.
   */
  private static int neededReplicas(Observed observed) {
    if (TopologyRestore.isNeeded(observed)) {
      return TopologyRestore.replicas(observed);
    }
    return observed.epoch().isPresent() ? observed.listedBound() : ScalePlanner.target(observed);
  }

  /** Returns the number of pods with that of the next member to join, if there is one. */
  static int replicasMax(Observed observed) {
    int needed = neededReplicas(observed);
    return ScalePlanner.target(observed) > needed ? needed + 1 : needed;
  }
}
