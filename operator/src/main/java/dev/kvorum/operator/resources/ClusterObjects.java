package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All objects of a cluster beside StatefulSet, topology and volumes, in the order of making. Each
 * carries the hash of itself as it was made: whether it is to be put right is a comparison of two
 * hashes, not of what an API server has filled in.
 */
public final class ClusterObjects {
  private ClusterObjects() {}

  /** As they should be. */
  public static List<HasMetadata> of(KvorumCluster cluster) {
    return List.<HasMetadata>of(
            AccessObjects.account(cluster),
            AccessObjects.role(cluster),
            AccessObjects.binding(cluster),
            ServiceObjects.peers(cluster),
            ServiceObjects.client(cluster),
            PolicyObjects.network(cluster),
            PolicyObjects.disruption(cluster))
        .stream()
        .map(ClusterObjects::hashed)
        .toList();
  }

  /**
   * Whether an object is there only with two members or more: a budget for one makes drains hang.
   */
  public static boolean needsTwo(HasMetadata object) {
    return object.getKind().equals("PodDisruptionBudget");
  }

  /** What an object is called in steps. */
  public static String key(HasMetadata object) {
    return object.getKind() + "/" + object.getMetadata().getName();
  }

  private static HasMetadata hashed(HasMetadata object) {
    String hash = SpecHash.ofText(Serialization.asJson(object));
    object.getMetadata().setAnnotations(new TreeMap<>(Map.of(Marks.HASH, hash)));
    return object;
  }
}
