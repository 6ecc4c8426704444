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

  private final Map<String, Known> byAddress =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
              return size() > PODS_MAX;
            }
          });

  /**
   * What is known of a pod.
   *
   * @param manager accepts those and the ones before: a node reads new files a while later
   */
  private record Known(Set<X509Certificate> trusted, X509TrustManager manager) {}

  /** From now on the node at an address has to present a certificate of these CAs. */
  void trust(String address, Set<X509Certificate> trusted) {
    byAddress.compute(
        address,
        (same, before) -> {
          if (before != null && before.trusted().equals(trusted)) {
            return before;
          }
          Set<X509Certificate> both = new HashSet<>(trusted);
          both.addAll(before == null ? Set.of() : before.trusted());
          return new Known(trusted, TrustManagers.of(both, Optional.empty()));
        });
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    String host = engine.getPeerHost();
    Known known = host == null ? null : byAddress.get(host.replaceAll("[\\[\\]]", ""));
    if (known != null) {
      known.manager().checkServerTrusted(chain, keyType);
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
