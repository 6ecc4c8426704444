package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.ObjectsView;
import dev.kvorum.operator.view.Observed;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the objects beside StatefulSet, topology and volumes, and compares them with their desired
 * state.
 */
final class ObjectReader {
  private final KubernetesClient client;
  private final KvorumCluster cluster;

  ObjectReader(KubernetesClient client, KvorumCluster cluster) {
    this.client = client;
    this.cluster = cluster;
  }

  /** The desired and the existing objects by key, and the differences. */
  record Read(Map<String, HasMetadata> wanted, Map<String, HasMetadata> found, ObjectsView view) {}

  /** Reads the objects, and compares them with those that the rest of the state requires. */
  Read read(Optional<StatefulSet> set, Observed view) {
    Map<String, HasMetadata> wanted = new LinkedHashMap<>();
    Map<String, HasMetadata> found = new LinkedHashMap<>();
    for (HasMetadata object : ClusterObjects.of(cluster, view.podsMax(), view.minAvailable())) {
      wanted.put(ClusterObjects.key(object), object);
      HasMetadata there = client.resource(object).get();
      if (there != null) {
        found.put(ClusterObjects.key(object), there);
      }
    }
    List<HasMetadata> others =
        Stream.concat(set.stream(), found.values().stream())
            .filter(object -> !Labels.isOf(object, cluster))
            .toList();
    List<String> drift = drift(wanted, found);
    drift.removeAll(others.stream().map(ClusterObjects::key).toList());
    List<String> foreign =
        others.stream().filter(object -> !isSatisfied(object)).map(ClusterObjects::key).toList();
    return new Read(wanted, found, ObjectsView.of(drift, foreign));
  }

  private boolean isSatisfied(HasMetadata object) {
    return ClusterObjects.needsTwo(object) && cluster.getSpec().replicas() < 2;
  }

  private List<String> drift(Map<String, HasMetadata> wanted, Map<String, HasMetadata> found) {
    List<String> drift = new ArrayList<>();
    wanted.forEach((key, object) -> {
      HasMetadata there = found.get(key);
      if (isSatisfied(object)) {
        if (there != null) {
          drift.add(key);
        }
      } else if (there == null
          || !Labels.annotation(there.getMetadata(), Labels.HASH)
              .equals(Labels.annotation(object.getMetadata(), Labels.HASH))) {
        drift.add(key);
      }
    });
    return drift;
  }
}
