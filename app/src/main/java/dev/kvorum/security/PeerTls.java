package dev.kvorum.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** TLS between nodes: both ends present a certificate that names their member. */
public final class PeerTls implements AutoCloseable {
  private static final String AUTHORITIES = "peer-ca.crt";

  /** All nodes can use 1.3. */
  private static final String PROTOCOL = "TLSv1.3";

  private static final List<String> CIPHERS =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384");

  /** Longest time for which a connection that is being closed says so to a peer that is slow. */
  private static final long CLOSE_MILLIS = 200;

  private final TlsPort<Contexts> port;
  private final Duration handshakeTimeout;
  private final AtomicInteger plain = new AtomicInteger();

  private record Contexts(SslContext accepting, SslContext dialling) {}

  private PeerTls(TlsPort<Contexts> port, Duration handshakeTimeout) {
    this.port = port;
    this.handshakeTimeout = handshakeTimeout;
  }

  /**
   * Reads the certificate, unless TLS is off.
   *
   * @param member this node's name
   * @throws IllegalArgumentException if the files cannot be used
   */
  public static PeerTls start(TlsSettings settings, String clusterId, String member) {
    List<String> files = List.of(member + ".crt", member + ".key", AUTHORITIES);
    return new PeerTls(
        TlsPort.start(
            "peer",
            settings.peer(),
            files,
            (own, read) -> {
              checkName(own, files.getFirst(), clusterId, member);
              return contexts(own, read, settings.expiredGrace());
            },
            settings),
        settings.handshakeTimeout());
  }

  private static void checkName(CertifiedKey own, String file, String clusterId, String member)
      throws InvalidCertificateException {
    try {
      String objection = PeerCertificate.of(own.chain().getFirst()).objection(clusterId, member);
      if (!objection.isEmpty()) {
        throw new InvalidCertificateException(file + ": " + objection + " (a URI among its names)");
      }
    } catch (CertificateParsingException e) {
      throw new InvalidCertificateException(file + " has names that cannot be read", e);
    }
  }

  private static Contexts contexts(
      CertifiedKey own, PemDirectory.Snapshot files, Duration expiredGrace)
      throws InvalidCertificateException {
    try {
      PeerTrust trust = new PeerTrust(CertifiedKey.certificates(files, AUTHORITIES), expiredGrace);
      trust.checkOwn(own.chain().toArray(X509Certificate[]::new));
      return new Contexts(
          SslContextBuilder.forServer(own.key(), own.chain())
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOL)
              .ciphers(CIPHERS)
              .trustManager(trust)
              .clientAuth(ClientAuth.REQUIRE)
              .build(),
          SslContextBuilder.forClient()
              .keyManager(own.key(), own.chain())
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOL)
              .ciphers(CIPHERS)
              .trustManager(trust)
              // Peers are found by address; their certificates have their names.
              .endpointIdentificationAlgorithm(null)
              .build());
    } catch (CertificateException e) {
      throw new InvalidCertificateException(
          "peers with this " + AUTHORITIES + " would not trust this node: " + e.getMessage(), e);
    } catch (SSLException e) {
      throw new InvalidCertificateException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  /** Returns the handler that secures a connection that a peer has made. */
  public SslHandler accepting(ByteBufAllocator buffers) {
    return handler(port.content().accepting(), buffers);
  }

  /** Returns the handler that secures a connection to a peer. */
  public SslHandler dialling(ByteBufAllocator buffers) {
    return handler(port.content().dialling(), buffers);
  }

  private SslHandler handler(SslContext context, ByteBufAllocator buffers) {
    SslHandler handler = port.handler(context, buffers);
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_MILLIS);
    return handler;
  }

  /** The certificate of the other end once the handshake is over; null on a plain connection. */
  public static @Nullable PeerCertificate certificate(Channel channel) {
    SslHandler secured = channel.pipeline().get(SslHandler.class);
    return secured == null ? null : certificate(secured);
  }

  /** The certificate of the other end once the handshake is over. */
  public static PeerCertificate certificate(SslHandler secured) {
    try {
      return PeerCertificate.of(
          (X509Certificate) secured.engine().getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return new PeerCertificate(List.of());
    }
  }

  /** Counts a plain connection until it is closed. */
  public void notePlain(Channel channel) {
    plain.incrementAndGet();
    channel.closeFuture().addListener(closed -> plain.decrementAndGet());
  }

  /** Number of plain connections that peers have made. */
  public int plainConnections() {
    return plain.get();
  }

  public TlsMode mode() {
    return port.mode();
  }

  /** Longest duration of a handshake, zero without TLS. */
  public Duration handshakeTimeout() {
    return mode() == TlsMode.OFF ? Duration.ZERO : handshakeTimeout;
  }

  /** Closes a connection whose peer has not replaced it in twice the time. */
  public void boundAge(Channel channel) {
    Future<?> end =
        channel
            .eventLoop()
            .schedule(
                () -> channel.close(), 2 * port.connectionAge().toMillis(), TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> end.cancel(false));
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
