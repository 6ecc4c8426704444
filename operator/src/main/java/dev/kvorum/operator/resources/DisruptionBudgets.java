package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** Builds the disruption budget of members: one may be evicted at a time. */
final class DisruptionBudgets {
  private DisruptionBudgets() {}

  /**
   * Returns the budget. {@code maxUnavailable} would count pods that are no members, and so allow
   * no disruption while such a pod starts.
   */
  static PodDisruptionBudget of(KvorumCluster cluster, int minAvailable) {
    String name = cluster.getMetadata().getName();
    return new PodDisruptionBudgetBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withNewMinAvailable(minAvailable)
        .withSelector(Labels.labelSelector(name))
        .endSpec()
        .build();
  }
}
