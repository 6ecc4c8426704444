package dev.kvorum.security;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Whether clients present certificates, which {@code clients-ca.crt} must have signed. */
public enum ClientCertificates {
  /** They are not asked for one. */
  NONE(ClientAuth.NONE),
  /** One that is presented is verified. */
  OPTIONAL(ClientAuth.OPTIONAL),
  /** Without one there is no connection. */
  REQUIRED(ClientAuth.REQUIRE);

  private final ClientAuth auth;

  ClientCertificates(ClientAuth auth) {
    this.auth = auth;
  }

  ClientAuth auth() {
    return auth;
  }

  /** The common name of the certificate that a client has presented; empty: none. */
  public static Optional<String> commonName(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    try {
      return tls == null ? Optional.empty() : commonName(tls.engine().getSession());
    } catch (SSLPeerUnverifiedException | NamingException without) {
      return Optional.empty();
    }
  }

  private static Optional<String> commonName(SSLSession session)
      throws SSLPeerUnverifiedException, NamingException {
    return session.getPeerCertificates()[0] instanceof X509Certificate certificate
        ? commonName(certificate.getSubjectX500Principal().getName())
        : Optional.empty();
  }

  /** The most specific one of a subject: the first that is written, as by openssl the last. */
  static Optional<String> commonName(String subject) throws NamingException {
    for (Rdn part : new LdapName(subject).getRdns().reversed()) {
      Attribute name = part.toAttributes().get("CN");
      if (name != null) {
        return Optional.of(String.valueOf(name.get()));
      }
    }
    return Optional.empty();
  }
}
