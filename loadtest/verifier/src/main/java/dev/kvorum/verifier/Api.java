package dev.kvorum.verifier;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends the two kinds of requests over connections that are recreated from time to time. */
final class Api {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

  /** Longer than the time-out of a node, so that the 504 of the node comes first. */
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private final URI base;
  private final SSLContext trust;
  private final Optional<String> token;
  private volatile HttpClient client;

  Api(URI base, SSLContext trust, Optional<String> token) {
    this.base = base;
    this.trust = trust;
    this.token = token;
    this.client = connected();
  }

  /** For certificates of the CAs in a file or, without one, of the JDK's. */
  static SSLContext trusting(Optional<Path> file) throws IOException, GeneralSecurityException {
    if (file.isEmpty()) {
      return SSLContext.getDefault();
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(file.get())) {
      for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
        store.setCertificateEntry("ca-" + store.size(), ca);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** A response, or the reason why there is none. */
  sealed interface Answer {
    /** A response with a status, and the version in its ETag or an empty one. */
    record Status(int code, String version, String body) implements Answer {}

    /** No response; a write may or may not have been stored unless nothing was sent. */
    record None(String kind, boolean unsent) implements Answer {}

    /** Whether a write with this answer is surely not stored, now or later. */
    default boolean isRejection() {
      return switch (this) {
        case Status(int code, _, _) -> Rejections.isRejected(code);
        case None(_, boolean unsent) -> unsent;
      };
    }
  }

  /**
   * Opens new connections for later requests; those in flight keep theirs. A Service selects a pod
   * for each connection, not for each request: old connections would never reach a new pod.
   */
  void reconnect() {
    client = connected();
  }

  private HttpClient connected() {
    return HttpClient.newBuilder()
        .sslContext(trust)
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .build();
  }

  Answer put(String key, String value) throws InterruptedException {
    return send(request(key).PUT(BodyPublishers.ofString(value)).build());
  }

  Answer get(String key) throws InterruptedException {
    return send(request(key).GET().build());
  }

  private HttpRequest.Builder request(String key) {
    String id = URLEncoder.encode(key, StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve("/v0/entity?id=" + id)).timeout(REQUEST_TIMEOUT);
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    return request;
  }

  private Answer send(HttpRequest request) throws InterruptedException {
    try {
      var response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      String version = response.headers().firstValue("ETag").orElse("").replace("\"", "");
      return new Answer.Status(response.statusCode(), version, response.body());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      return new Answer.None("no connection", true);
    } catch (HttpTimeoutException e) {
      return new Answer.None("no reply in time", false);
    } catch (IOException e) {
      return new Answer.None("no answer", false);
    }
  }
}
