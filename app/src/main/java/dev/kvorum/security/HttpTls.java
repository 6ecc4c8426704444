package dev.kvorum.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/** TLS of a port for HTTP: that for clients, or that for management. */
public final class HttpTls implements AutoCloseable {
  private static final String CERTIFICATE = "http.crt";
  private static final String KEY = "http.key";
  private static final String CLIENTS_CA = "clients-ca.crt";

  /** Those of TLS 1.3, and of TLS 1.2 those with forward secrecy and authenticated encryption. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private final TlsPort<SslContext> port;

  private HttpTls(TlsPort<SslContext> port) {
    this.port = port;
  }

  /**
   * Reads the certificate for clients, unless they have no TLS.
   *
   * @throws IllegalArgumentException if the files cannot be used
   */
  public static HttpTls ofClients(TlsSettings settings) {
    return start("http", settings.http(), settings.clientAuth(), settings);
  }

  /**
   * Reads the certificate for management, unless that has no TLS.
   *
   * @throws IllegalArgumentException if the files cannot be used
   */
  public static HttpTls ofManagement(TlsSettings settings) {
    return start("management", settings.management(), ClientCertificates.NONE, settings);
  }

  private static HttpTls start(
      String port, TlsMode mode, ClientCertificates clients, TlsSettings settings) {
    List<String> files = new ArrayList<>(List.of(CERTIFICATE, KEY));
    if (clients != ClientCertificates.NONE) {
      files.add(CLIENTS_CA);
    }
    return new HttpTls(
        TlsPort.start(port, mode, files, (own, read) -> context(own, read, clients), settings));
  }

  private static SslContext context(
      CertifiedKey own, PemDirectory.Snapshot files, ClientCertificates clients)
      throws InvalidCertificateException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(own.key(), own.chain())
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(
                CIPHERS,
                (ciphers, defaults, supported) ->
                    CIPHERS.stream().filter(supported::contains).toArray(String[]::new))
            .clientAuth(clients.auth())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_1_1));
    if (clients != ClientCertificates.NONE) {
      builder.trustManager(CertifiedKey.certificates(files, CLIENTS_CA));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new InvalidCertificateException("TLS cannot be served: " + e.getMessage(), e);
    }
  }

  /** Returns the handler that secures a connection of a client. */
  public SslHandler accepting(ByteBufAllocator buffers) {
    return port.handler(port.content(), buffers);
  }

  /** What a client in this process needs, which trusts this node's own certificate only. */
  public SslContext ofOwnClient() {
    try {
      return SslContextBuilder.forClient()
          .trustManager(new OnlyTrusted(() -> port.own().chain().getFirst()))
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("TLS cannot be used by a client", e);
    }
  }

  public TlsMode mode() {
    return port.mode();
  }

  /** The certificate and its state. */
  public TlsPort<?> port() {
    return port;
  }

  @Override
  public void close() {
    port.close();
  }
}
