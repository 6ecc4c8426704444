package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.GatedPod;
import io.fabric8.kubernetes.api.model.Pod;

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
        PodReader.isTrue(pod, Labels.REACHABLE),
        PodReader.isTrue(pod, "Ready").orElse(false),
        PodReader.isTrue(pod, "ContainersReady").orElse(false));
  }
}
