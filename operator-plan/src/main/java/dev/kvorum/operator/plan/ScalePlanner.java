package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.StatefulSetView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Plans membership changes, one member at a time: the lowest missing ordinal joins first, the
 * highest ordinal leaves first. A change that the spec no longer requests is cancelled. A new
 * change starts when every member is healthy, has seen the last epoch and has completed its
 * cleanup. A member leaves only when no hints wait.
 */
public final class ScalePlanner {
  private ScalePlanner() {}

  /**
   * Returns the target number of members. If the number in the spec is rejected, the current
   * members stay; before the cluster is founded, the target is then the replication.
   */
  static int target(Observed observed) {
    if (rejection(observed).isEmpty()) {
      return observed.spec().replicas();
    }
    return observed.topology().isPresent()
        ? Math.toIntExact(
            observed.members().stream()
                .filter(member -> member.state() != MemberState.JOINING)
                .count())
        : observed.spec().replication();
  }

  /** Returns why the number of members in the spec would do harm. */
  static Optional<Notice> rejection(Observed observed) {
    int replicas = observed.spec().replicas();
    int replication = observed.spec().replication();
    return replicas >= Math.max(1, replication)
        ? Optional.empty()
        : Optional.of(
            new Notice(
                Reason.REPLICAS_BELOW_REPLICATION,
                "replicas ("
                    + replicas
                    + ") is below replication ("
                    + replication
                    + "): records with that many copies would lose some of them; no member is"
                    + " removed"));
  }

  /** Continues or cancels a change in progress. */
  static Optional<Step> proceed(Observed observed) {
    KvorumTopologySpec topology = observed.epoch().orElseThrow();
    if (topology.phase() == TopologyPhase.STABLE) {
      return Optional.empty();
    }
    Optional<Notice> behind = Health.behind(observed, topology);
    if (behind.isPresent()) {
      return behind.map(it -> new Step.Reject(it.reason(), it.message()));
    }
    TopologyMember changing = topology.changing().getFirst();
    if (!isWanted(observed, changing)) {
      return next(EpochChange.cancel(topology));
    }
    Optional<Notice> late =
        Health.first(
            List.of(
                () -> Health.unseen(observed, topology),
                () -> Health.uncopied(observed, topology)));
    if (late.isPresent()) {
      return Optional.of(
          new Step.Wait(phase(changing.state()), late.get().reason(), late.get().message()));
    }
    return next(
        switch (topology.phase()) {
          case TRANSFERRING -> EpochChange.settling(topology);
          case SETTLING, STABLE -> EpochChange.stable(topology);
        });
  }

  private static boolean isWanted(Observed observed, TopologyMember changing) {
    return switch (changing.state()) {
      case JOINING -> observed.ordinal(changing) < target(observed);
      case LEAVING -> observed.ordinal(changing) >= target(observed);
      case REMOVING -> RemovalPlanner.isWanted(observed, changing);
      case MOVING, ACTIVE -> ZonePlanner.isWanted(observed);
    };
  }

  /** Returns the phase of a cluster in which a member does this. */
  public static ClusterPhase phase(MemberState does) {
    return switch (does) {
      case JOINING -> ClusterPhase.SCALING_OUT;
      case LEAVING -> ClusterPhase.SCALING_IN;
      case REMOVING -> ClusterPhase.REMOVING;
      case MOVING, ACTIVE -> ClusterPhase.MOVING;
    };
  }

  /** Starts the next change. */
  static Optional<Step> begin(Observed observed) {
    KvorumTopologySpec topology = observed.epoch().orElseThrow();
    int target = target(observed);
    // A removed member leaves a gap, which is closed before the number would fall below the target.
    boolean tooMany = topology.members().size() > target;
    Optional<TopologyMember> leaves =
        topology.members().stream()
            .filter(member -> tooMany && observed.ordinal(member) >= target)
            .max(Comparator.comparingInt(observed::ordinal));
    if (leaves.isPresent()) {
      return Optional.of(
          mayBegin(observed, topology, ClusterPhase.SCALING_IN)
              .or(() -> waitForPeers(observed, leaves.get()))
              .or(() -> full(observed, leaves.get()))
              .orElseGet(() -> new Step.NextEpoch(EpochChange.leaving(topology, leaves.get()))));
    }
    for (int ordinal = 0; ordinal < target; ordinal++) {
      if (topology.member(observed.podName(ordinal)).isEmpty()) {
        return Optional.of(join(observed, topology, ordinal));
      }
    }
    return Optional.empty();
  }

  private static Step join(Observed observed, KvorumTopologySpec topology, int ordinal) {
    Optional<Step> not = mayBegin(observed, topology, ClusterPhase.SCALING_OUT);
    if (not.isPresent()) {
      return not.get();
    }
    StatefulSetView set = observed.statefulSet().orElseThrow();
    if (set.replicas() <= ordinal) {
      return new Step.ScaleStatefulSet(set.replicas(), ordinal + 1, set.scaledByHand());
    }
    PodView pod = observed.pods().get(ordinal);
    if (pod == null || !canJoin(observed, pod)) {
      return new Step.Wait(
          ClusterPhase.SCALING_OUT,
          Reason.PODS_PENDING,
          BootstrapPlanner.pending(observed, ordinal));
    }
    return new Step.NextEpoch(
        EpochChange.joining(topology, pod.name(), BootstrapPlanner.zone(pod)));
  }

  /**
   * Returns whether a pod can be listed, and its node has reported that it waits for that, or what
   * it has. The machine of a removed member may be dead, although its pod counts as running.
   */
  private static boolean canJoin(Observed observed, PodView pod) {
    return BootstrapPlanner.canBeListed(observed, pod)
        && (pod.waits().isPresent() || observed.report(pod).isPresent());
  }

  /**
   * Scales the StatefulSet down once all members have seen a stable topology without the members
   * that left.
   */
  static Optional<Step> scaleDownStatefulSet(Observed observed) {
    int wanted = StatefulSetPlanner.replicasMax(observed);
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

  /** Returns why no membership change may start now; empty if one may. */
  private static Optional<Step> mayBegin(
      Observed observed, KvorumTopologySpec topology, ClusterPhase phase) {
    return Health.ofMembers(observed)
        .<Step>map(ill ->
            ill.reason() == Reason.MEMBER_STARTING
                ? new Step.Wait(phase, ill.reason(), ill.message())
                : new Step.Reject(
                    ill.reason(),
                    "no membership change starts while a member is unhealthy: " + ill.message()))
        .or(() ->
            Health.unsettled(observed, topology)
                .map(late -> new Step.Wait(phase, late.reason(), late.message())));
  }

  /**
   * Returns a wait while members are disconnected or hints are waiting: a hint is a copy that
   * another member lacks.
   */
  private static Optional<Step> waitForPeers(Observed observed, TopologyMember leaves) {
    return Health.unconverged(observed)
        .map(gap ->
            new Step.Wait(
                ClusterPhase.SCALING_IN,
                gap.reason(),
                leaves.name() + " cannot leave yet: " + gap.message()));
  }

  private static Optional<Step> full(Observed observed, TopologyMember leaves) {
    return DiskCheck.fullWithout(observed, leaves)
        .map(full ->
            new Step.Reject(full.reason(), leaves.name() + " cannot leave: " + full.message()));
  }

  private static Optional<Step> next(EpochChange change) {
    return Optional.of(new Step.NextEpoch(change));
  }
}
