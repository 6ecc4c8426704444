package dev.kvorum.operator.plan;

import dev.kvorum.operator.view.GatedPod;
import dev.kvorum.operator.view.NodeReport;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plans the readiness gates of pods (docs/adr/0026). The peers of a member on a dead machine know
 * after two seconds, Kubernetes after forty. Until then, only the gate keeps clients from it.
 *
 * <p>The gate closes when a majority of members is not connected to a member whose containers
 * Kubernetes believes ready, unless that would leave less than a majority of ready members. It
 * opens when a majority, the member itself included, is connected. Between the two it stays as it
 * is, and that of a pod that is no member too, once it was set.
 */
public final class ReachabilityPlanner {
  private ReachabilityPlanner() {}

  /**
   * Returns the gates to change, by pod.
   *
   * @param members names of the members
   * @param pods the pods that have a gate
   * @param reports the reports of the nodes that responded
   */
  public static Map<String, Boolean> changes(
      Set<String> members, Collection<GatedPod> pods, Collection<NodeReport> reports) {
    int majority = members.size() / 2 + 1;
    List<NodeReport> votes =
        reports.stream().filter(report -> members.contains(report.node())).toList();
    long ready = pods.stream().filter(pod -> pod.ready() && members.contains(pod.name())).count();
    Map<String, Boolean> changes = new TreeMap<>();
    for (GatedPod pod : pods) {
      Optional<Boolean> wanted = wanted(pod, votes, majority);
      if (wanted.isEmpty() || wanted.equals(pod.reachable())) {
        continue;
      }
      if (!wanted.get() && pod.ready()) {
        if (ready <= majority) {
          continue;
        }
        ready--;
      }
      changes.put(pod.name(), wanted.get());
    }
    return changes;
  }

  private static Optional<Boolean> wanted(GatedPod pod, List<NodeReport> votes, int majority) {
    // Nobody has a connection to a pod that is no member.
    List<Boolean> seen =
        votes.stream().flatMap(report -> connected(report, pod.name()).stream()).toList();
    if (Collections.frequency(seen, false) >= majority && pod.containersReady()) {
      return Optional.of(false);
    }
    return Collections.frequency(seen, true) >= majority || pod.reachable().isEmpty()
        ? Optional.of(true)
        : Optional.empty();
  }

  /** Returns whether a node is connected to another one, if it says; to itself it is. */
  private static Optional<Boolean> connected(NodeReport report, String pod) {
    return report.node().equals(pod)
        ? Optional.of(true)
        : Optional.ofNullable(report.peers().get(pod)).map(NodeReport.PeerView::connected);
  }
}
