package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** What others may do to members: evict one at a time, and speak HTTP only. */
final class PolicyObjects {
  private PolicyObjects() {}

  /**
   * Never {@code minAvailable}: it would make a machine's drain hang (pains 13). None at all while
   * a member is rebuilt: its pod is ready before its records are restored, which Kubernetes cannot
   * see.
   */
  static PodDisruptionBudget disruption(KvorumCluster cluster, boolean evictable) {
    String name = cluster.getMetadata().getName();
    return new PodDisruptionBudgetBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withNewMaxUnavailable(evictable ? 1 : 0)
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
