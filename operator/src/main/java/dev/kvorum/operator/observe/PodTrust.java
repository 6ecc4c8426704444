package dev.kvorum.operator.observe;

import dev.kvorum.operator.certificates.TrustManagers;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Accepts the certificates of nodes by the CAs of their cluster, whatever their names are: pods are
 * connected to by address. As long as nothing is known of the CAs of a pod, as when its Secret must
 * not be read, it accepts any.
 */
final class PodTrust extends X509ExtendedTrustManager {
  private static final int PODS_MAX = 10_000;

  private final Map<String, Known> byAddress;
  private final boolean acceptsUnknown;

  /**
   * What is known of a pod.
   *
   * @param token what it is shown
   * @param manager accepts those and the ones before: a node reads new files a while later
   */
  private record Known(
      Set<X509Certificate> trusted, Optional<String> token, X509TrustManager manager) {}

  PodTrust() {
    this(
        Collections.synchronizedMap(
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1;

              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
                return size() > PODS_MAX;
              }
            }),
        true);
  }

  private PodTrust(Map<String, Known> byAddress, boolean acceptsUnknown) {
    this.byAddress = byAddress;
    this.acceptsUnknown = acceptsUnknown;
  }

  /** The same, but it accepts nothing of pods whose CAs are unknown. */
  PodTrust ofKnown() {
    return new PodTrust(byAddress, false);
  }

  /**
   * From now on the node at an address has to present a certificate of these CAs.
   *
   * @return whether that is new
   */
  boolean trust(String address, Set<X509Certificate> trusted, Optional<String> token) {
    Known earlier = byAddress.get(address);
    Known now =
        byAddress.compute(
            address,
            (same, before) -> {
              // Another token is that of another cluster: a node of the one before must not see it.
              boolean isOther = before == null || !before.token().equals(token);
              if (!isOther && before.trusted().equals(trusted)) {
                return before;
              }
              Set<X509Certificate> both = new HashSet<>(trusted);
              both.addAll(isOther ? Set.of() : before.trusted());
              return new Known(trusted, token, TrustManagers.of(both, Optional.empty()));
            });
    return !now.equals(earlier);
  }

  /** What the node at an address is shown, after its certificate. */
  Optional<String> token(String address) {
    return Optional.ofNullable(byAddress.get(address)).flatMap(Known::token);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    String host = engine.getPeerHost();
    Known known = host == null ? null : byAddress.get(host.replaceAll("[\\[\\]]", ""));
    if (known != null) {
      known.manager().checkServerTrusted(chain, keyType);
    } else if (!acceptsUnknown) {
      throw new CertificateException("nothing is known of " + host);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    throw new CertificateException("is for engines only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw new CertificateException("is for engines only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("is for servers only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    throw new CertificateException("is for servers only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw new CertificateException("is for servers only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
