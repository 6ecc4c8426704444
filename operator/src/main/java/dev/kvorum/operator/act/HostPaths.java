package dev.kvorum.operator.act;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whether a cluster's volumes are paths on machines: they belong to root and heed no fsGroup, so
 * that a node could not write to them.
 */
public final class HostPaths implements Predicate<KvorumCluster> {
  private static final String PROVISIONER = "kubernetes.io/host-path";
  private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

  private final KubernetesClient client;

  public HostPaths(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public boolean test(KvorumCluster cluster) {
    String name = cluster.getSpec().storage().storageClass();
    try {
      return (name == null ? defaultClass() : named(name))
          .map(it -> PROVISIONER.equals(it.getProvisioner()))
          .orElse(false);
    } catch (KubernetesClientException refused) {
      // Without the right to look, volumes are taken for ordinary ones.
      if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return false;
      }
      throw refused;
    }
  }

  private Optional<StorageClass> named(String name) {
    return Optional.ofNullable(client.storage().v1().storageClasses().withName(name).get());
  }

  private Optional<StorageClass> defaultClass() {
    return client.storage().v1().storageClasses().list().getItems().stream()
        .filter(it -> it.getMetadata().getAnnotations() != null)
        .filter(it -> "true".equals(it.getMetadata().getAnnotations().get(DEFAULT_CLASS)))
        .findFirst();
  }
}
