package dev.kvorum.operator.act;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.observe.Reads;
import dev.kvorum.operator.observe.StorageClasses;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Checks whether a cluster's volumes are host paths. Those belong to root and ignore fsGroup, so
 * that a node could not write to them.
 */
public final class HostPaths implements Predicate<KvorumCluster> {
  private static final String PROVISIONER = "kubernetes.io/host-path";

  private final KubernetesClient client;

  public HostPaths(KubernetesClient client) {
    this.client = client;
  }

  /** Returns false if the operator has no permission to read storage classes. */
  @Override
  public boolean test(KvorumCluster cluster) {
    return new StorageClasses(new Reads(client, Instant.now()))
        .find(cluster.getSpec().storage().storageClass())
        .filter(it -> PROVISIONER.equals(it.getProvisioner()))
        .isPresent();
  }
}
