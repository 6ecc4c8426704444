package dev.kvorum.security;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves TLS with the certificate of a directory, which it reads again while it runs. Files that
 * cannot be used leave it with those before. Open connections keep what they began with.
 */
public final class ServerTls implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServerTls.class);
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

  private final TlsSettings settings;
  private final PemDirectory directory;
  private final HandshakeThreads handshakes;
  private final ScheduledExecutorService timer;
  private final LongAdder failed = new LongAdder();
  private final LongAdder reloads = new LongAdder();
  private volatile @Nullable Serving serving;

  /** Why the files in the directory cannot be used; null if they can. */
  private volatile @Nullable String trouble;

  private record Serving(
      PemDirectory.Snapshot files, SslContext context, X509Certificate own, Instant expiry) {}

  private ServerTls(TlsSettings settings) {
    this.settings = settings;
    this.directory = new PemDirectory(Path.of(settings.dir()));
    this.handshakes = new HandshakeThreads(settings.handshakesMax());
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kvorum-tls-reload").factory());
  }

  /**
   * Reads the directory of the settings, unless TLS is off, and from then on again at their
   * interval.
   *
   * @throws IllegalArgumentException if what is there cannot be used
   */
  public static ServerTls start(TlsSettings settings) {
    ServerTls tls = new ServerTls(settings);
    if (settings.http() == TlsMode.OFF) {
      return tls;
    }
    try {
      tls.serving = tls.serving(tls.read());
    } catch (InvalidCertificateException | IOException e) {
      tls.close();
      throw new IllegalArgumentException(
          "kvorum.tls.dir is " + settings.dir() + "; " + reason(e), e);
    }
    long millis = settings.reloadInterval().toMillis();
    tls.timer.scheduleWithFixedDelay(tls::reload, millis, millis, TimeUnit.MILLISECONDS);
    return tls;
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case InvalidCertificateException invalid -> String.valueOf(invalid.getMessage());
      case IOException unreadable -> "it cannot be read: " + unreadable;
      default -> "it cannot be used: " + failure;
    };
  }

  private PemDirectory.Snapshot read() throws IOException {
    List<String> names = new ArrayList<>(List.of(CERTIFICATE, KEY));
    if (settings.clientAuth() != ClientCertificates.NONE) {
      names.add(CLIENTS_CA);
    }
    return directory.read(names);
  }

  private Serving serving(PemDirectory.Snapshot files) throws InvalidCertificateException {
    CertifiedKey own = CertifiedKey.read(files, CERTIFICATE, KEY);
    SslContextBuilder builder =
        SslContextBuilder.forServer(own.key(), own.chain())
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(
                CIPHERS,
                (ciphers, defaults, supported) ->
                    CIPHERS.stream().filter(supported::contains).toArray(String[]::new))
            .clientAuth(settings.clientAuth().auth())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_1_1));
    if (settings.clientAuth() != ClientCertificates.NONE) {
      List<X509Certificate> authorities = CertifiedKey.certificates(files, CLIENTS_CA);
      builder.trustManager(authorities);
    }
    try {
      return new Serving(files, builder.build(), own.chain().getFirst(), own.expiry());
    } catch (SSLException e) {
      throw new InvalidCertificateException("TLS cannot be served: " + e.getMessage(), e);
    }
  }

  /** Serves new connections with what is in the directory now, if it has changed. */
  void reload() {
    try {
      PemDirectory.Snapshot files = read();
      if (!files.equals(current().files())) {
        Serving next = serving(files);
        serving = next;
        reloads.increment();
        log.info(
            "New connections get the certificate in {}, which expires {}",
            directory,
            next.expiry());
      }
      trouble = null;
    } catch (InvalidCertificateException | IOException e) {
      cannotUse(reason(e));
    } catch (RuntimeException | Error e) {
      cannotUse(reason(e));
    }
  }

  /** Each reason is logged once, not at each interval. */
  private void cannotUse(String reason) {
    if (!reason.equals(trouble)) {
      log.error("New connections get the last certificate, not that in {}: {}", directory, reason);
    }
    trouble = reason;
  }

  /** Returns the handler that secures a connection from its handshake on. */
  public SslHandler handler(ByteBufAllocator buffers) {
    SslHandler handler = current().context().newHandler(buffers, handshakes);
    handler.setHandshakeTimeoutMillis(settings.handshakeTimeout().toMillis());
    handler
        .handshakeFuture()
        .addListener(done -> {
          if (!done.isSuccess()) {
            failed.increment();
          }
        });
    return handler;
  }

  private Serving current() {
    return Objects.requireNonNull(serving, "TLS is off");
  }

  public TlsMode mode() {
    return settings.http();
  }

  /** When the certificate of new connections, or one that has issued it, expires. */
  public Instant expiry() {
    return current().expiry();
  }

  /** What a client in this process needs, which trusts this node's own certificate only. */
  public SslContext ofOwnClient() {
    try {
      return SslContextBuilder.forClient()
          .trustManager(new OnlyTrusted(() -> current().own()))
          .build();
    } catch (SSLException e) {
      throw new IllegalStateException("TLS cannot be used by a client", e);
    }
  }

  /** Whether the directory has files that cannot be used. */
  public boolean isStale() {
    return trouble != null;
  }

  /** How often the certificate was replaced. */
  public long reloads() {
    return reloads.sum();
  }

  /** Number of handshakes that failed. */
  public long failed() {
    return failed.sum();
  }

  /** Number of handshakes that were refused because too many others waited for a thread. */
  public long refused() {
    return handshakes.refused();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    handshakes.close();
  }
}
