package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.GatedPod;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads the readiness gates of pods. */
public final class PodGates {
  private PodGates() {}

  /** Returns whether a pod has the gate; pods of older operators have none. */
  public static boolean hasGate(Pod pod) {
    return pod.getSpec().getReadinessGates().stream()
        .anyMatch(gate -> gate.getConditionType().equals(Labels.REACHABLE));
  }

  /** Returns a pod's gate and readiness. */
  public static GatedPod view(Pod pod) {
    return new GatedPod(
        pod.getMetadata().getName(),
        condition(pod, Labels.REACHABLE),
        condition(pod, "Ready").orElse(false),
        condition(pod, "ContainersReady").orElse(false));
  }

  private static Optional<Boolean> condition(Pod pod, String type) {
    return pod.getStatus() == null
        ? Optional.empty()
        : pod.getStatus().getConditions().stream()
            .filter(it -> it.getType().equals(type))
            .map(PodCondition::getStatus)
            .map("True"::equals)
            .findFirst();
  }

  /** Returns the addresses of the pods that have one. */
  public static List<ReportSource.Address> addresses(Collection<Pod> pods) {
    return pods.stream()
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> !pod.getStatus().getPodIP().isEmpty())
        .map(pod ->
            new ReportSource.Address(pod.getMetadata().getName(), pod.getStatus().getPodIP()))
        .toList();
  }
}
