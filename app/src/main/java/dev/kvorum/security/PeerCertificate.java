package dev.kvorum.security;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/**
 * Whom a certificate names: members, as URIs among its subject alternative names.
 *
 * @param names the URIs, usually one
 */
public record PeerCertificate(List<String> names) {
  /** Kind of a subject alternative name that is a URI (RFC 5280, 4.2.1.6). */
  private static final Integer URI = 6;

  static PeerCertificate of(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    return new PeerCertificate(
        all == null
            ? List.of()
            : all.stream()
                .filter(name -> URI.equals(name.getFirst()))
                .map(name -> String.valueOf(name.get(1)))
                .toList());
  }

  /** Why this is not a certificate of a member, for people; empty if it is. */
  public String objection(String clusterId, String member) {
    String name = "kvorum://" + clusterId + "/member/" + member;
    return names.contains(name) ? "" : "its certificate is for " + this + ", not for " + name;
  }

  @Override
  public String toString() {
    return names.isEmpty() ? "no member" : String.join(", ", names);
  }
}
