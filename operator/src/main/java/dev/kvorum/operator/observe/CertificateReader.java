package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.certificates.CertificateObjects;
import dev.kvorum.operator.certificates.GivenCertificates;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.PeerTls;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The objects with the certificates that the operator issues, as they exist.
 *
 * @param found those under their names, by key
 * @param own those of them that were created for the cluster; empty if it is issued none, or those
 *     of an earlier cluster of its name are still there, which Kubernetes is about to delete
 */
record CertificateReader(Map<String, HasMetadata> found, Optional<Map<String, HasMetadata>> own) {
  static CertificateReader read(KubernetesClient client, KvorumCluster cluster) {
    Map<String, HasMetadata> found = new LinkedHashMap<>();
    if (!cluster.getSpec().security().issues()) {
      return new CertificateReader(found, Optional.empty());
    }
    CertificateObjects.names(cluster).forEach(object -> ObjectReader.find(client, object, found));
    Map<String, HasMetadata> own = new LinkedHashMap<>(found);
    own.values().removeIf(object -> !Labels.isOf(object, cluster));
    boolean areLeaving = own.values().stream().anyMatch(it -> Labels.isOfEarlier(it, cluster));
    return new CertificateReader(found, areLeaving ? Optional.empty() : Optional.of(own));
  }

  /** Returns what is wrong with certificates of the user's, as far as they may be read. */
  static Optional<Notice> objection(KubernetesClient client, KvorumCluster cluster, Instant now) {
    String namespace = cluster.getMetadata().getNamespace();
    return cluster
        .getSpec()
        .security()
        .secret()
        .flatMap(name ->
            Permitted.read(
                () ->
                    GivenCertificates.objection(
                        cluster, client.secrets().inNamespace(namespace).withName(name).get(), now),
                Optional.empty()));
  }

  /** Whether pods can be mounted certificates. */
  boolean areIssued(String cluster) {
    return own.filter(objects -> objects.containsKey("Secret/" + PeerTls.issuedSecret(cluster)))
        .isPresent();
  }
}
