package dev.kvorum.security;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Trusts what the CA of the peers has issued, for a while after its expiry too: a renewal that was
 * forgotten must not end the cluster. Which member a certificate names is checked elsewhere.
 */
final class PeerTrust extends X509ExtendedTrustManager {
  private static final Logger log = LoggerFactory.getLogger(PeerTrust.class);

  /** What the JDK passes on for servers of TLS 1.3. */
  private static final String ANY_KEY = "UNKNOWN";

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final Set<TrustAnchor> authorities;
  private final Duration expiredGrace;
  private final X509ExtendedTrustManager today;
  private final Set<X509Certificate> excused = ConcurrentHashMap.newKeySet();

  /** A check of a chain by a trust manager for some day. */
  private interface Check {
    void by(X509ExtendedTrustManager manager) throws CertificateException;
  }

  PeerTrust(List<X509Certificate> authorities, Duration expiredGrace) throws CertificateException {
    this.authorities =
        authorities.stream()
            .map(authority -> new TrustAnchor(authority, null))
            .collect(Collectors.toUnmodifiableSet());
    this.expiredGrace = expiredGrace;
    this.today = managerAt(null);
  }

  /** A manager for a day, or always for today. */
  private X509ExtendedTrustManager managerAt(@Nullable Instant day) throws CertificateException {
    try {
      PKIXBuilderParameters parameters =
          new PKIXBuilderParameters(authorities, new X509CertSelector());
      parameters.setRevocationEnabled(false);
      parameters.setDate(day == null ? null : Date.from(day));
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(new CertPathTrustManagerParameters(parameters));
      return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException e) {
      throw new CertificateException(e);
    }
  }

  /** As of today; else, if a certificate has expired within the grace, as of when it did. */
  private void check(X509Certificate[] chain, Duration grace, Check check)
      throws CertificateException {
    try {
      check.by(today);
    } catch (CertificateException e) {
      Instant expiry = CertifiedKey.expiry(List.of(chain));
      Instant now = Instant.now();
      if (expiry.isAfter(now) || Duration.between(expiry, now).compareTo(grace) > 0) {
        throw e;
      }
      check.by(managerAt(expiry));
      if (excused.add(chain[0])) {
        log.warn(
            "Accepted the certificate of {}: it, or one above it, expired {}, and {} is accepted",
            chain[0].getSubjectX500Principal(),
            expiry,
            grace);
      }
    }
  }

  private void check(X509Certificate[] chain, Check check) throws CertificateException {
    check(chain, expiredGrace, check);
  }

  /** Checks the own chain: whether peers with the same CA trust it, or did until it expired. */
  void checkOwn(X509Certificate[] chain) throws CertificateException {
    check(chain, FOR_EVER, manager -> manager.checkClientTrusted(chain, ANY_KEY));
    check(chain, FOR_EVER, manager -> manager.checkServerTrusted(chain, ANY_KEY));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    check(chain, manager -> manager.checkClientTrusted(chain, keyType, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    check(chain, manager -> manager.checkServerTrusted(chain, keyType, engine));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    check(chain, manager -> manager.checkClientTrusted(chain, keyType, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    check(chain, manager -> manager.checkServerTrusted(chain, keyType, socket));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    check(chain, manager -> manager.checkClientTrusted(chain, keyType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    check(chain, manager -> manager.checkServerTrusted(chain, keyType));
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return today.getAcceptedIssuers();
  }
}
