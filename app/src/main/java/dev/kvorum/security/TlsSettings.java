package dev.kvorum.security;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.tls.*}: encrypted connections.
 *
 * @param dir directory of PEM files, see docs/security.md: {@code http.crt}, {@code http.key},
 *     {@code clients-ca.crt} for clients; {@code peer-ca.crt}, {@code <member>.crt}, {@code
 *     <member>.key} for peers
 * @param http whether {@code server.port} speaks TLS: {@code off}; {@code permissive}, with plain
 *     HTTP beside it; {@code required}
 * @param peer whether {@code kvorum.rpc.port} speaks TLS: {@code off}; {@code permissive}, beside
 *     plain connections; {@code required}
 * @param management whether {@code management.server.port} speaks TLS, with the files of {@code
 *     http}: {@code off}; {@code permissive}; {@code required}
 * @param clientAuth whether clients of {@code http} need a certificate: {@code none}, {@code
 *     optional}, {@code required}
 * @param expiredGrace time after its expiry for which a peer's certificate is accepted, 0 to 365 d
 * @param reloadInterval interval at which the files are read again, 100 ms to 1 h; open connections
 *     keep what they began with
 * @param handshakeTimeout longest duration of a TLS handshake, 1 ms to 10 min
 * @param handshakesMax handshakes that wait at one port, 1 to 65536; the connection of one more is
 *     closed
 * @param connectionAgeMax age at which a TLS connection is replaced, less up to a quarter; 1 s to
 *     30 d
 */
public record TlsSettings(
    @DefaultValue("") String dir,
    @DefaultValue("off") TlsMode http,
    @DefaultValue("off") TlsMode peer,
    @DefaultValue("off") TlsMode management,
    @DefaultValue("none") ClientCertificates clientAuth,
    @DefaultValue("7d") Duration expiredGrace,
    @DefaultValue("10s") Duration reloadInterval,
    @DefaultValue("5s") Duration handshakeTimeout,
    @DefaultValue("64") int handshakesMax,
    @DefaultValue("1h") Duration connectionAgeMax) {
  public TlsSettings {
    Bounds.between("kvorum.tls.handshakes-max", handshakesMax, 1, 65_536);
    Bounds.between(
        "kvorum.tls.handshake-timeout",
        handshakeTimeout,
        Duration.ofMillis(1),
        Duration.ofMinutes(10));
    Bounds.between(
        "kvorum.tls.reload-interval", reloadInterval, Duration.ofMillis(100), Duration.ofHours(1));
    Bounds.between("kvorum.tls.expired-grace", expiredGrace, Duration.ZERO, Duration.ofDays(365));
    Bounds.between(
        "kvorum.tls.connection-age-max",
        connectionAgeMax,
        Duration.ofSeconds(1),
        Duration.ofDays(30));
    if (dir.isEmpty()) {
      needsFiles("http", http, "http.crt and http.key");
      needsFiles("management", management, "http.crt and http.key");
      needsFiles("peer", peer, "peer-ca.crt, <member>.crt and <member>.key");
    }
    if (http == TlsMode.OFF && clientAuth != ClientCertificates.NONE) {
      throw new IllegalArgumentException(
          "kvorum.tls.client-auth needs kvorum.tls.http: without TLS there are no client"
              + " certificates");
    }
  }

  private static void needsFiles(String port, TlsMode mode, String files) {
    if (mode != TlsMode.OFF) {
      throw new IllegalArgumentException(
          "kvorum.tls.%s needs kvorum.tls.dir, a directory with %s".formatted(port, files));
    }
  }
}
