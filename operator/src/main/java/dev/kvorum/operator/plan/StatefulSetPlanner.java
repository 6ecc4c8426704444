package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.observe.Observed;
import dev.kvorum.operator.observe.StatefulSetView;
import dev.kvorum.operator.observe.VolumeView;
import java.util.Optional;

/**
 * The StatefulSet: it keeps a pod for every member and for those that are to come. It is raised at
 * any time, and lowered only after all members have seen a stable topology without what goes.
 */
public final class StatefulSetPlanner {
  private StatefulSetPlanner() {}

  static Optional<Step> next(Observed observed) {
    if (observed.statefulSet().isEmpty()) {
      return Optional.of(create(observed));
    }
    StatefulSetView set = observed.statefulSet().get();
    if (set.deleting()) {
      return Optional.of(
          new Step.Wait(
              ClusterPhase.CREATING,
              Reason.CREATING_OBJECTS,
              "waits until the deleted StatefulSet is gone to recreate it"));
    }
    if (observed.specHash().isPresent()
        && (!observed.specHash().get().equals(set.specHash()) || otherDefault(observed, set))) {
      return Optional.of(new Step.UpdateStatefulSet());
    }
    if (templateTooSmall(observed, set)) {
      return Optional.of(new Step.RecreateStatefulSet());
    }
    int wanted = wantedReplicas(observed);
    return set.replicas() < wanted
        ? Optional.of(new Step.ScaleStatefulSet(set.replicas(), wanted, set.scaledByHand()))
        : Optional.empty();
  }

  /** Where no pod has ever served, the operator's default is what it is now. */
  private static boolean otherDefault(Observed observed, StatefulSetView set) {
    return observed.epoch().isEmpty() && !set.image().equals(observed.image().wanted());
  }

  private static Step create(Observed observed) {
    // Pods that are there without it are those of one that was removed to be recreated: none of
    // them may end for that. This can only raise the number.
    int there =
        observed.pods().values().stream()
            .filter(pod -> !pod.terminating())
            .mapToInt(pod -> pod.ordinal() + 1)
            .max()
            .orElse(0);
    return new Step.CreateStatefulSet(Math.max(wantedReplicas(observed), there));
  }

  /** The volumes have all been raised; members to come shall have theirs as large at once. */
  private static boolean templateTooSmall(Observed observed, StatefulSetView set) {
    long wanted = VolumePlanner.wantedBytes(observed);
    return set.volumeBytes() < wanted
        && observed.specHash().isPresent()
        && !observed.volumes().isEmpty()
        && observed.volumes().values().stream()
            .filter(volume -> !volume.deleting())
            .map(VolumeView::bytes)
            .allMatch(bytes -> bytes >= wanted);
  }

  static Optional<Step> lower(Observed observed) {
    int wanted = wantedReplicas(observed);
    StatefulSetView set = observed.statefulSet().orElseThrow();
    if (set.replicas() <= wanted) {
      return Optional.empty();
    }
    Optional<KvorumTopologySpec> topology = observed.epoch();
    if (topology.isPresent()) {
      if (topology.get().phase() != TopologyPhase.STABLE) {
        return Optional.empty();
      }
      Optional<Notice> unseen = Health.unseen(observed, topology.get());
      if (unseen.isPresent()) {
        return Optional.of(
            new Step.Wait(ClusterPhase.SCALING_IN, unseen.get().reason(), unseen.get().message()));
      }
    }
    return Optional.of(new Step.ScaleStatefulSet(set.replicas(), wanted, set.scaledByHand()));
  }

  /** A pod for every member and for those that are to come. */
  static int wantedReplicas(Observed observed) {
    return Math.max(observed.listedBound(), ScalePlanner.target(observed));
  }
}
