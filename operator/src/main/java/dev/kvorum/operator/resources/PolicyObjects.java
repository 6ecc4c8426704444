package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/**
 * Builds the policies of members: one may be evicted at a time, and only members may connect to
 * ports other than those for HTTP.
 */
final class PolicyObjects {
  private PolicyObjects() {}

  /**
   * Returns the disruption budget. {@code maxUnavailable} would count pods that are no members, and
   * so allow no disruption while such a pod starts.
   */
  static PodDisruptionBudget disruption(KvorumCluster cluster, int minAvailable) {
    String name = cluster.getMetadata().getName();
    return new PodDisruptionBudgetBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withNewMinAvailable(minAvailable)
        .withSelector(Labels.labelSelector(name))
        .endSpec()
        .build();
  }

  static NetworkPolicy network(KvorumCluster cluster) {
    String name = cluster.getMetadata().getName();
    return new NetworkPolicyBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withPodSelector(Labels.labelSelector(name))
        .withPolicyTypes("Ingress")
        .addNewIngress()
        .addNewPort()
        .withProtocol("TCP")
        .withNewPort(PodTemplates.HTTP_PORT)
        .endPort()
        .addNewPort()
        .withProtocol("TCP")
        .withNewPort(PodTemplates.MANAGEMENT_PORT)
        .endPort()
        .endIngress()
        .addNewIngress()
        .addNewFrom()
        .withPodSelector(Labels.labelSelector(name))
        .endFrom()
        .addNewPort()
        .withProtocol("TCP")
        .withNewPort(PodTemplates.RPC_PORT)
        .endPort()
        .endIngress()
        .endSpec()
        .build();
  }
}
