package dev.kvorum.security;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.tls.*}: encrypted connections.
 *
 * @param dir directory of PEM files: {@code http.crt} (a certificate and those that it needs up to
 *     its CA), {@code http.key} (PKCS#8, not encrypted), {@code clients-ca.crt} if client
 *     certificates are asked for
 * @param http whether {@code server.port} speaks TLS: {@code off}; {@code permissive}, with plain
 *     HTTP beside it; {@code required}
 * @param clientAuth whether clients of TLS need a certificate: {@code none}, {@code optional},
 *     {@code required}
 * @param reloadInterval interval at which the files are read again, 100 ms to 1 h; open connections
 *     keep what they began with
 * @param handshakeTimeout longest duration of a TLS handshake, 1 ms to 10 min
 * @param handshakesMax handshakes that wait for one of two threads to compute them, 1 to 65536; the
 *     connection of one more is closed
 */
public record TlsSettings(
    @DefaultValue("") String dir,
    @DefaultValue("off") TlsMode http,
    @DefaultValue("none") ClientCertificates clientAuth,
    @DefaultValue("10s") Duration reloadInterval,
    @DefaultValue("5s") Duration handshakeTimeout,
    @DefaultValue("64") int handshakesMax) {
  public TlsSettings {
    Bounds.between("kvorum.tls.handshakes-max", handshakesMax, 1, 65_536);
    Bounds.between(
        "kvorum.tls.handshake-timeout in milliseconds", handshakeTimeout.toMillis(), 1, 600_000);
    Bounds.between(
        "kvorum.tls.reload-interval in milliseconds", reloadInterval.toMillis(), 100, 3_600_000);
    if (http != TlsMode.OFF && dir.isEmpty()) {
      throw new IllegalArgumentException(
          "kvorum.tls.http needs kvorum.tls.dir, a directory with http.crt and http.key");
    }
    if (http == TlsMode.OFF && clientAuth != ClientCertificates.NONE) {
      throw new IllegalArgumentException(
          "kvorum.tls.client-auth needs kvorum.tls.http: without TLS there are no client"
              + " certificates");
    }
  }
}
