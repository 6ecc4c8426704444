package dev.kvorum.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts one certificate of a server, whatever its names, and no client's. Extended, since the JDK
 * adds a check of the name to others.
 */
final class OnlyTrusted extends X509ExtendedTrustManager {
  private final Supplier<X509Certificate> trusted;

  OnlyTrusted(Supplier<X509Certificate> trusted) {
    this.trusted = trusted;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    if (!chain[0].equals(trusted.get())) {
      throw new CertificateException("this is not this node's own certificate");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, keyType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, keyType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw new CertificateException("no client is trusted");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, keyType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, keyType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
