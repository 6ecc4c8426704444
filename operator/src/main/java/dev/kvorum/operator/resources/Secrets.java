package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;

/** Builds Secrets of clusters. */
public final class Secrets {
  private Secrets() {}

  /**
   * Returns a Secret that is deleted with its cluster.
   *
   * @param data in Base64
   */
  public static Secret of(KvorumCluster cluster, String name, Map<String, String> data) {
    // The hash is of what was asked for, without the data: those differ until they are stored.
    Secret secret =
        new SecretBuilder().withMetadata(Labels.metadata(cluster, name)).withType("Opaque").build();
    return new SecretBuilder(ClusterObjects.hashed(secret)).withData(data).build();
  }
}
