package dev.kvorum.operator.certificates;

import dev.kvorum.operator.api.IssuerReference;
import dev.kvorum.operator.resources.ClusterObjects;
import dev.kvorum.operator.resources.IssuedCertificate;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.Optional;

/**
 * The certificate that a cluster requests of an issuer of cert-manager, if it has one.
 *
 * @param issuer the one that is asked for a certificate; empty: none is
 * @param request the cluster's own Certificate; empty if it does not exist
 * @param secret what cert-manager has stored; empty if it has nothing
 */
record RequestedCertificate(
    Optional<IssuerReference> issuer,
    Optional<IssuedCertificate> request,
    Optional<Secret> secret) {
  /** Whether there is an issuer. */
  boolean isRequested() {
    return issuer.isPresent();
  }

  /** Whether the Secret of the Certificate is there for something else: then none is asked. */
  boolean isTaken() {
    return isRequested() && secret.filter(it -> !IssuerCertificate.isOfCertificate(it)).isPresent();
  }

  /** What the issuer has issued, if nodes can use it now. */
  Optional<IssuerCertificate> issued(Instant now) {
    return issuer
        .filter(it -> request.isPresent() && !isTaken())
        .flatMap(it -> secret.filter(there -> IssuerCertificate.isFrom(it, there)))
        .flatMap(it -> IssuerCertificate.read(CertificateObjects.files(it), now));
  }

  /** What cert-manager reports as the reason that there is none. */
  Optional<String> problem() {
    return request.flatMap(it -> it.problem().map(why -> ClusterObjects.key(it) + ": " + why));
  }
}
