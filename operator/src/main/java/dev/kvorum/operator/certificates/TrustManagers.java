package dev.kvorum.operator.certificates;

import java.security.GeneralSecurityException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Makes the JDK's checks of certificates. */
public final class TrustManagers {
  /** What the JDK passes on as the kind of key for servers of TLS 1.3. */
  static final String ANY_KEY = "UNKNOWN";

  private TrustManagers() {}

  /**
   * Returns one that accepts some certificates, and those that they have issued.
   *
   * @param when for which time it checks; empty: for the time of each check
   */
  public static X509TrustManager of(Collection<X509Certificate> trusted, Optional<Instant> when) {
    try {
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(
              trusted.stream()
                  .map(certificate -> new TrustAnchor(certificate, null))
                  .collect(Collectors.toSet()),
              new X509CertSelector());
      parameters.setRevocationEnabled(false);
      parameters.setDate(when.map(Date::from).orElse(null));
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(new CertPathTrustManagerParameters(parameters));
      return (X509TrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("certificates cannot be checked", e);
    }
  }
}
