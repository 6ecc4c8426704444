package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.NetworkSpec;
import dev.kvorum.operator.api.SecurityProfile;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the policy of who may connect to members: to the port of members they alone, to the other
 * ports what {@code spec.network} lists. The kubelet of their machine may always: probes and {@code
 * kubectl port-forward} need no rule.
 */
final class NetworkPolicies {
  private static final String NAMESPACE = "kubernetes.io/metadata.name";

  /** A rule without a list admits all. */
  private static final List<NetworkPolicyPeer> EVERYONE = List.of();

  private NetworkPolicies() {}

  /**
   * Returns the policy.
   *
   * @param operators namespace of the operator; empty: it runs elsewhere, where no rule can name it
   */
  static NetworkPolicy of(KvorumCluster cluster, Optional<String> operators) {
    String name = cluster.getMetadata().getName();
    return new NetworkPolicyBuilder()
        .withMetadata(Labels.metadata(cluster, name))
        .withNewSpec()
        .withPodSelector(Labels.labelSelector(name))
        .withPolicyTypes("Ingress")
        .withIngress(
            rule(PodTemplates.HTTP_PORT, clients(cluster)),
            rule(ManagementPort.NUMBER, monitoring(cluster, operators)),
            rule(PodTemplates.RPC_PORT, List.of(pods(Labels.selector(name)))))
        .endSpec()
        .build();
  }

  private static List<NetworkPolicyPeer> clients(KvorumCluster cluster) {
    NetworkSpec network = cluster.getSpec().network();
    boolean isStrict = cluster.getSpec().security().profile() == SecurityProfile.STRICT;
    if (network.clients() == null && !isStrict) {
      return EVERYONE;
    }
    List<NetworkPolicyPeer> from =
        new ArrayList<>(requireNonNullElse(network.clients(), List.of()));
    from.add(pods(Map.of(Labels.NAME_LABEL, "kvorum-load-test")));
    from.add(pods(Map.of(Labels.NAME_LABEL, "kvorum-test")));
    if (cluster.getSpec().backup() != null) {
      from.add(pods(Map.of(Labels.NAME_LABEL, Labels.SCHEDULE)));
    }
    return from;
  }

  private static List<NetworkPolicyPeer> monitoring(
      KvorumCluster cluster, Optional<String> operators) {
    NetworkSpec network = cluster.getSpec().network();
    boolean isOpen = cluster.getSpec().security().profile() == SecurityProfile.OPEN;
    if ((network.monitoring() == null && isOpen) || operators.isEmpty()) {
      return EVERYONE;
    }
    List<NetworkPolicyPeer> from =
        new ArrayList<>(requireNonNullElse(network.monitoring(), List.of(prometheus())));
    if (cluster.getSpec().backup() != null) {
      from.add(pods(Map.of(Labels.NAME_LABEL, Labels.BACKUP)));
      from.add(pods(Map.of(Labels.NAME_LABEL, Labels.RESTORE)));
    }
    from.add(in(Map.of(NAMESPACE, operators.get()), Map.of(Labels.NAME_LABEL, "kvorum-operator")));
    return from;
  }

  /** The label that its charts and its operator set. */
  private static NetworkPolicyPeer prometheus() {
    return in(Map.of(), Map.of(Labels.NAME_LABEL, "prometheus"));
  }

  /** Pods of the cluster's own namespace. */
  private static NetworkPolicyPeer pods(Map<String, String> labels) {
    return new NetworkPolicyPeerBuilder()
        .withNewPodSelector()
        .withMatchLabels(labels)
        .endPodSelector()
        .build();
  }

  /** Pods of other namespaces; those without labels are all. */
  private static NetworkPolicyPeer in(Map<String, String> namespace, Map<String, String> labels) {
    return new NetworkPolicyPeerBuilder(pods(labels))
        .withNewNamespaceSelector()
        .withMatchLabels(namespace)
        .endNamespaceSelector()
        .build();
  }

  private static NetworkPolicyIngressRule rule(int port, List<NetworkPolicyPeer> from) {
    return new NetworkPolicyIngressRuleBuilder()
        .withFrom(from)
        .addNewPort()
        .withProtocol("TCP")
        .withNewPort(port)
        .endPort()
        .build();
  }
}
