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
 * In which failure domain a pod is: for a member the zone that it was first listed with, for others
 * that of their machine. Where the operator may not read machines, there are no zones.
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
