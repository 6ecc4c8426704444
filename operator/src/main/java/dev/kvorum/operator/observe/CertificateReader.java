package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.certificates.CertificateObjects;
import dev.kvorum.operator.certificates.GivenCertificates;
import dev.kvorum.operator.resources.IssuedCertificate;
import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.resources.PeerTls;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The certificates of a cluster, as they exist.
 *
 * @param found the objects that the operator issues, or others under their names, by key
 * @param own those of them that were created for the cluster; empty if it is issued none, or those
 *     of an earlier cluster of its name are still there, which Kubernetes is about to delete
 * @param given those of the user; empty if there are none, or they must not be read
 * @param issued the Secret in which cert-manager stores what an issuer issues; empty if it does not
 *     exist, or must not be read
 */
record CertificateReader(
    Map<String, HasMetadata> found,
    Optional<Map<String, HasMetadata>> own,
    Optional<GivenCertificates> given,
    Optional<Secret> issued) {
  static CertificateReader read(Reads reads, KvorumCluster cluster, Instant now) {
    Map<String, HasMetadata> found = new LinkedHashMap<>();
    if (!cluster.getSpec().security().issues()) {
      return new CertificateReader(
          found,
          Optional.empty(),
          cluster
              .getSpec()
              .security()
              .secret()
              .flatMap(secret -> given(reads, cluster, secret, now)),
          Optional.empty());
    }
    CertificateObjects.names(cluster).forEach(object -> ObjectReader.find(reads, object, found));
    Map<String, HasMetadata> own = new LinkedHashMap<>(found);
    own.values().removeIf(object -> !Labels.isOf(object, cluster));
    boolean areLeaving = own.values().stream().anyMatch(it -> Labels.isOfEarlier(it, cluster));
    return new CertificateReader(
        found,
        areLeaving ? Optional.empty() : Optional.of(own),
        Optional.empty(),
        issued(reads, cluster));
  }

  private static Optional<Secret> issued(Reads reads, KvorumCluster cluster) {
    String name = IssuedCertificate.name(cluster.getMetadata().getName());
    return cluster.getSpec().security().issuer().isEmpty()
        ? Optional.empty()
        : Permitted.read(() -> secret(reads, cluster, name), Optional.empty());
  }

  private static Optional<GivenCertificates> given(
      Reads reads, KvorumCluster cluster, String secret, Instant now) {
    return Permitted.read(
        () ->
            Optional.of(
                GivenCertificates.of(secret, secret(reads, cluster, secret).orElse(null), now)),
        Optional.empty());
  }

  private static Optional<Secret> secret(Reads reads, KvorumCluster cluster, String name) {
    return reads.secret(cluster.getMetadata().getNamespace(), name);
  }

  /** Whether pods can be mounted certificates. */
  boolean areIssued(String cluster) {
    return own.filter(objects -> objects.containsKey("Secret/" + PeerTls.issuedSecret(cluster)))
        .isPresent();
  }

  /** Returns what is wrong with certificates of the user's. */
  Optional<Notice> objection(KvorumCluster cluster) {
    return given.flatMap(it -> it.objection(cluster));
  }

  /**
   * Returns which certificates the nodes that are mounted a Secret may present: those in it, and of
   * the CAs that issue to it. None: it must not be read.
   */
  static Set<X509Certificate> ofNodes(
      Reads reads, KvorumCluster cluster, String secret, Instant now) {
    Set<X509Certificate> certificates = new HashSet<>();
    given(reads, cluster, secret, now).ifPresent(it -> certificates.addAll(it.ofNodes()));
    String name = cluster.getMetadata().getName();
    if (secret.equals(PeerTls.issuedSecret(name))) {
      Map<String, HasMetadata> found = new LinkedHashMap<>();
      CertificateObjects.names(cluster).stream()
          .filter(object -> object.getKind().equals("ConfigMap"))
          .forEach(object -> ObjectReader.find(reads, object, found));
      certificates.addAll(CertificateObjects.trustedByClients(found, name));
    }
    return certificates;
  }
}
