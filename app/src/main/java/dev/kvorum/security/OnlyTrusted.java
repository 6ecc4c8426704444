package dev.kvorum.security;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;

/** Trusts one certificate of a server, and no client's. */
record OnlyTrusted(Supplier<X509Certificate> trusted) implements X509TrustManager {
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    if (!chain[0].equals(trusted.get())) {
      throw new CertificateException("this is not this node's own certificate");
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String keyType)
      throws CertificateException {
    throw new CertificateException("no client is trusted");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
