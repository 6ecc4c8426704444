package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumTopologySpec;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Observed;
import dev.kvorum.operator.view.PodView;
import dev.kvorum.operator.view.VolumeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans the restoration of a lost topology (docs/adr/0027). Each node keeps the newest topology
 * that it has followed on its volume, so the newest that any node has followed is among the copies
 * of all volumes. It is restored only once all of them are known: an older one would let its epoch
 * be followed by another than the one that some node has. A node without a copy, or one that has
 * left, says so by a condition of its pod.
 */
final class TopologyRestore {
  private TopologyRestore() {}

  /** Returns whether this cluster has had a topology that is gone. */
  static boolean isNeeded(Observed observed) {
    return observed.epoch().isEmpty()
        && (observed.status().epoch() > 0 || !saved(observed).isEmpty());
  }

  /**
   * Returns the id of the cluster whose topology the volumes carry; empty if they carry none or
   * have data of several clusters.
   */
  static Optional<String> clusterId(Observed observed) {
    Set<String> ids =
        volumes(observed)
            .map(Map.Entry::getValue)
            .flatMap(volume -> volume.clusterId().stream())
            .collect(Collectors.toSet());
    boolean carried = volumes(observed).anyMatch(it -> it.getValue().savedTopology().isPresent());
    return carried && ids.size() == 1 ? ids.stream().findFirst() : Optional.empty();
  }

  /** Does not continue without any volume of the cluster. */
  static Optional<Step> impossible(Observed observed) {
    return isNeeded(observed) && ours(observed).isEmpty()
        ? Optional.of(reject("no volume has a copy of it"))
        : Optional.empty();
  }

  /** Returns the number of pods that all volumes of the cluster need. */
  static int replicas(Observed observed) {
    return ours(observed).stream().mapToInt(it -> it.getKey() + 1).max().orElse(0);
  }

  /** Restores the topology, or waits for the copies that are not known yet. */
  static Step next(Observed observed) {
    List<KvorumTopologySpec> copies = new ArrayList<>(saved(observed));
    boolean founded = false;
    Optional<String> restore = Optional.empty();
    long lastLeft = 0;
    for (Map.Entry<Integer, VolumeView> volume : ours(observed)) {
      OptionalLong left = waits(observed, volume.getKey());
      if (left.isPresent()) {
        lastLeft = Math.max(lastLeft, left.getAsLong());
        continue;
      }
      Optional<NodeReport> report = report(observed, volume.getKey());
      Optional<KvorumTopologySpec> copy = report.flatMap(NodeReport::topology);
      if (copy.isEmpty()) {
        return waitFor(observed, volume);
      }
      copies.add(copy.get());
      founded |= !report.get().rebuilding();
      restore = restore.or(report.get()::restoring);
    }
    if (copies.isEmpty()) {
      return reject("no volume has a copy of it");
    }
    KvorumTopologySpec newest = newest(copies);
    if (newest.epoch() < lastLeft) {
      return reject("only a node that has left has seen epoch " + lastLeft);
    }
    boolean agreed =
        copies.stream()
            .filter(copy -> copy.epoch() == newest.epoch())
            .allMatch(copy -> copy.hasContentsOf(newest));
    return agreed
        ? new Step.RestoreTopology(
            newest, founded, restore.filter(it -> observed.spec().bootstrap() != null))
        : reject("there are different copies of epoch " + newest.epoch());
  }

  private static KvorumTopologySpec newest(List<KvorumTopologySpec> copies) {
    return Collections.max(copies, Comparator.comparingLong(KvorumTopologySpec::epoch));
  }

  private static Step reject(String why) {
    return new Step.Reject(
        Reason.TOPOLOGY_LOST,
        "the KvorumTopology of this cluster is gone, and "
            + why
            + "; restore it from a copy: founding the cluster again would lose the placement of"
            + " its records");
  }

  private static Step waitFor(Observed observed, Map.Entry<Integer, VolumeView> volume) {
    String pod = observed.podName(volume.getKey());
    PodView there = observed.pods().get(volume.getKey());
    String trouble =
        there == null
            ? Health.podCreationFailure(observed)
            : Health.trouble(observed, there).map(it -> ": " + it).orElse("");
    return new Step.Wait(
        ClusterPhase.DEGRADED,
        Reason.TOPOLOGY_LOST,
        "the KvorumTopology of this cluster is gone and is restored once all nodes have reported"
            + " their copies; waits for "
            + pod
            + trouble
            + ". If its volume "
            + volume.getValue().name()
            + " is lost, delete the claim");
  }

  private static Optional<NodeReport> report(Observed observed, int ordinal) {
    return Optional.ofNullable(observed.pods().get(ordinal))
        .filter(pod -> !pod.terminating())
        .flatMap(PodView::report)
        .filter(report -> report.node().equals(observed.podName(ordinal)))
        .filter(report -> report.cluster().equals(observed.status().clusterId()));
  }

  private static OptionalLong waits(Observed observed, int ordinal) {
    PodView pod = observed.pods().get(ordinal);
    return pod != null && pod.started() && !pod.terminating() ? pod.waits() : OptionalLong.empty();
  }

  private static List<KvorumTopologySpec> saved(Observed observed) {
    return ours(observed).stream()
        .flatMap(it -> it.getValue().savedTopology().stream())
        .filter(saved -> saved.clusterId().equals(observed.status().clusterId()))
        .toList();
  }

  private static List<Map.Entry<Integer, VolumeView>> ours(Observed observed) {
    String id = observed.status().clusterId();
    return volumes(observed).filter(it -> it.getValue().isOf(id)).toList();
  }

  private static Stream<Map.Entry<Integer, VolumeView>> volumes(Observed observed) {
    return observed.volumes().entrySet().stream().filter(it -> !it.getValue().deleting());
  }
}
