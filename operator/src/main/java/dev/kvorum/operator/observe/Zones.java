package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.TopologyMember;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;

/**
 * Determines the failure domain of a pod. A member keeps the zone with which it was first listed;
 * other pods have the zone of their machine. If the operator may not read machines, the zone is an
 * empty text.
 */
final class Zones {
  private final KubernetesClient client;
  private final String label;
  private final Optional<KvorumTopology> topology;

  Zones(KubernetesClient client, String label, Optional<KvorumTopology> topology) {
    this.client = client;
    this.label = label;
    this.topology = topology;
  }

  Optional<String> of(Pod pod) {
    Optional<String> listed =
        topology
            .flatMap(it -> it.getSpec().member(pod.getMetadata().getName()))
            .map(TopologyMember::zone);
    String machine = pod.getSpec().getNodeName();
    return listed.isPresent() || machine == null ? listed : ofMachine(machine);
  }

  private Optional<String> ofMachine(String name) {
    try {
      Node machine = client.nodes().withName(name).get();
      if (machine == null) {
        return Optional.empty();
      }
      Map<String, String> labels = machine.getMetadata().getLabels();
      return Optional.of(labels == null ? "" : labels.getOrDefault(label, ""));
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return Optional.of("");
      }
      throw refused;
    }
  }
}
