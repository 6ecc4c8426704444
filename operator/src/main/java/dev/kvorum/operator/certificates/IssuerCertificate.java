package dev.kvorum.operator.certificates;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.IssuerReference;
import io.fabric8.kubernetes.api.model.Secret;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A certificate for clients that an issuer of cert-manager has issued, as nodes use it.
 *
 * @param pair the certificate and its key
 * @param chain the certificate, and those above it
 * @param authorities its CAs; none if clients know them by themselves
 */
record IssuerCertificate(
    CertifiedKey pair, List<X509Certificate> chain, List<X509Certificate> authorities) {
  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";

  /** Time before its end in which it is not used, at most. */
  private static final Duration MARGIN = Duration.ofDays(1);

  IssuerCertificate {
    chain = List.copyOf(chain);
    authorities = List.copyOf(authorities);
  }

  /** Whether a Secret is what cert-manager stores for the Certificate of its name. */
  static boolean isOfCertificate(Secret secret) {
    return isAnnotated(
        secret, Map.of("cert-manager.io/certificate-name", secret.getMetadata().getName()));
  }

  /** Whether a Secret is what cert-manager has stored for an issuer. */
  static boolean isFrom(IssuerReference issuer, Secret secret) {
    return isAnnotated(
        secret,
        Map.of(
            "cert-manager.io/issuer-name", issuer.name(),
            "cert-manager.io/issuer-kind", issuer.kind(),
            "cert-manager.io/issuer-group", issuer.group()));
  }

  private static boolean isAnnotated(Secret secret, Map<String, String> annotations) {
    return requireNonNullElse(secret.getMetadata().getAnnotations(), Map.<String, String>of())
        .entrySet()
        .containsAll(annotations.entrySet());
  }

  /** Reads the files of a Secret of cert-manager; empty if nodes cannot use them now. */
  static Optional<IssuerCertificate> read(Map<String, String> files, Instant now) {
    List<X509Certificate> authorities =
        Authorities.certificates(files.getOrDefault(Authorities.CERTIFICATE, ""));
    return read(files, CERTIFICATE, KEY, authorities)
        .filter(it -> it.isValid(now))
        .filter(it -> authorities.isEmpty() || isTrusted(it.chain, authorities, now));
  }

  /** Reads what nodes are mounted; empty if it is nothing that they can use now. */
  static Optional<IssuerCertificate> mounted(Map<String, String> files, Instant now) {
    return read(
            files,
            MountedFiles.certificate(MountedFiles.HTTP),
            MountedFiles.key(MountedFiles.HTTP),
            List.of())
        .filter(it -> it.isValid(now));
  }

  private static Optional<IssuerCertificate> read(
      Map<String, String> files, String file, String key, List<X509Certificate> authorities) {
    return CertifiedKey.readAny(files, file, key)
        .map(pair ->
            new IssuerCertificate(
                pair, Authorities.certificates(files.getOrDefault(file, "")), authorities));
  }

  boolean isSame(IssuerCertificate other) {
    return pair.certificate().equals(other.pair.certificate());
  }

  /** Whether it can be used until nodes have read another one. */
  private boolean isValid(Instant now) {
    Instant begin = pair.certificate().getNotBefore().toInstant();
    Duration tenth = Duration.between(begin, pair.expiry()).dividedBy(10);
    Duration margin = tenth.compareTo(MARGIN) < 0 ? tenth : MARGIN;
    return !now.isBefore(begin) && now.isBefore(pair.expiry().minus(margin));
  }

  /** Adds it to the files of nodes. */
  void write(Map<String, String> files) {
    String file = MountedFiles.certificate(MountedFiles.HTTP);
    pair.write(files, file, MountedFiles.key(MountedFiles.HTTP));
    files.put(file, Authorities.bundle(chain));
  }

  private static boolean isTrusted(
      List<X509Certificate> chain, Collection<X509Certificate> authorities, Instant now) {
    try {
      TrustManagers.of(authorities, Optional.of(now))
          .checkServerTrusted(chain.toArray(X509Certificate[]::new), TrustManagers.ANY_KEY);
      return true;
    } catch (CertificateException rejected) {
      return false;
    }
  }
}
