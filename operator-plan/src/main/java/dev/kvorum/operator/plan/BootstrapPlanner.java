package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.Place;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.VolumeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans a cluster's bootstrap. A cluster receives an id once and is founded once. Where a topology
 * or volumes of a founded cluster exist already, it adopts them or reports why it cannot. A lost
 * topology is restored ({@link TopologyRestore}).
 */
public final class BootstrapPlanner {
  private BootstrapPlanner() {}

  /** Determines the id of the cluster: that of an existing or lost topology, or else a new one. */
  static Optional<Step> identify(Observed observed) {
    String known = observed.status().clusterId();
    if (observed.epoch().isPresent()) {
      String listed = observed.epoch().get().clusterId();
      if (known != null && !known.equals(listed)) {
        return Optional.of(
            new Step.Reject(
                Reason.FOREIGN_TOPOLOGY,
                "the topology belongs to cluster " + listed + ", this is cluster " + known));
      }
      return otherReplication(observed)
          .or(() -> known == null ? Optional.of(new Step.Identify(listed)) : Optional.empty());
    }
    Optional<String> lost = TopologyRestore.clusterId(observed);
    if (known == null && lost.isPresent()) {
      return Optional.of(new Step.Identify(lost.get()));
    }
    return foreignVolume(observed)
        .map(volume ->
            (Step)
                new Step.Reject(
                    Reason.VOLUMES_WITHOUT_TOPOLOGY,
                    volume.name()
                        + " belongs to cluster "
                        + volume.clusterId().orElse("")
                        + ", which has no KvorumTopology: restore it, or delete the volumes to"
                        + " start again without their data"))
        .or(() -> TopologyRestore.impossible(observed))
        .or(() -> known == null ? Optional.of(new Step.Identify("")) : Optional.empty());
  }

  /**
   * Rejects a replication other than the one that the existing records were written with, since its
   * quorums need not overlap with theirs.
   */
  private static Optional<Step> otherReplication(Observed observed) {
    int asked = observed.spec().replication();
    int kept = observed.topology().orElseThrow().replication().orElse(asked);
    return asked == kept
        ? Optional.empty()
        : Optional.of(
            new Step.Reject(
                Reason.REPLICATION_CHANGED,
                "replication is "
                    + asked
                    + ", but the existing records were written with "
                    + kept
                    + ", and their quorums need not overlap: recreate the KvorumCluster with "
                    + kept
                    + ", or delete its KvorumTopology and volumes to start without data"));
  }

  private static Optional<VolumeView> foreignVolume(Observed observed) {
    return observed.volumes().values().stream()
        .filter(volume -> volume.clusterId().isPresent())
        .filter(volume -> !volume.clusterId().get().equals(observed.status().clusterId()))
        .findFirst();
  }

  /** Creates the first topology once the pods of all initial members can be listed. */
  static Optional<Step> found(Observed observed) {
    if (observed.topology().isPresent()) {
      return Optional.empty();
    }
    if (TopologyRestore.isNeeded(observed)) {
      return Optional.of(TopologyRestore.next(observed));
    }
    List<TopologyMember> members = new ArrayList<>();
    for (int ordinal = 0; ordinal < ScalePlanner.target(observed); ordinal++) {
      PodView pod = observed.pods().get(ordinal);
      if (pod == null || !canBeListed(observed, pod)) {
        return Optional.of(
            new Step.Wait(ClusterPhase.CREATING, Reason.PODS_PENDING, pending(observed, ordinal)));
      }
      members.add(new TopologyMember(pod.name(), zone(pod), MemberState.ACTIVE));
    }
    return Optional.of(new Step.BootstrapTopology(members, RestorePlanner.wanted(observed)));
  }

  /**
   * Returns whether a pod is scheduled and runs, so that it can be listed as a member. After a
   * restart, its container must have run for longer than {@link Health#TERMINATION_GRACE}.
   */
  static boolean canBeListed(Observed observed, PodView pod) {
    boolean runs =
        pod.startedAt()
            .filter(since ->
                pod.restarts() == 0 || observed.now().isAfter(since.plus(Health.TERMINATION_GRACE)))
            .isPresent();
    return runs && !pod.terminating() && pod.place().isPresent();
  }

  /** Returns the zone with which a pod is listed. */
  static String zone(PodView pod) {
    return pod.place().map(Place::zone).orElse("");
  }

  /** Returns why a pod cannot be listed yet. */
  static String pending(Observed observed, int ordinal) {
    PodView pod = observed.pods().get(ordinal);
    if (pod == null) {
      return "waits for pod " + observed.podName(ordinal) + Health.podCreationFailure(observed);
    }
    Optional<Notice> stuck = Health.stuck(observed, pod);
    if (stuck.isPresent()) {
      return stuck.get().message();
    }
    return "waits for pod "
        + pod.name()
        + (canBeListed(observed, pod) ? " to respond" : " to run")
        + Health.trouble(observed, pod).map(it -> ": " + it + wayOut(observed, it)).orElse("");
  }

  private static String wayOut(Observed observed, String trouble) {
    String said = observed.spec().image();
    if ((said != null && !said.isEmpty()) || !trouble.contains(observed.image().wanted())) {
      return "";
    }
    return observed.epoch().isPresent()
        ? "; set spec.image to another one"
        : "; set spec.image, or another default of the operator (KVORUM_NODE_IMAGE)";
  }
}
