package dev.kvorum.operator.observe;

import dev.kvorum.operator.resources.ManagementPort;
import dev.kvorum.operator.view.NodeReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

/**
 * Fetches reports from the nodes' management ports, from all pods in parallel. A node that does not
 * respond in time has no report in this reconciliation; the next one asks it again.
 */
public final class HttpReports implements ReportSource {
  private static final int BODY_BYTES_MAX = 1 << 20;
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final BodyHandler<byte[]> BODY =
      BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX);

  private final PodTrust trust = new PodTrust();
  private final int port;
  private final HttpClient client;

  /**
   * Shows tokens. It has no connections to nodes, or sessions with them, from when their CAs were
   * unknown.
   */
  private final HttpClient checking;

  private final SSLContext checked;

  public HttpReports() {
    this(ManagementPort.NUMBER);
  }

  HttpReports(int port) {
    this.port = port;
    this.checked = secured(trust.ofKnown());
    this.client = client(secured(trust));
    this.checking = client(checked);
  }

  private static HttpClient client(SSLContext context) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .sslContext(context)
        .build();
  }

  private static SSLContext secured(PodTrust trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS cannot be used", e);
    }
  }

  @Override
  public void trust(
      Collection<Address> pods, Set<X509Certificate> authorities, Optional<String> token) {
    if (!authorities.isEmpty()) {
      pods.stream()
          .map(Address::ip)
          .filter(address -> trust.trust(address, authorities, token))
          .forEach(this::forgetSessions);
    }
  }

  /** A session that is resumed has no certificate, so none that could be checked again. */
  private void forgetSessions(String address) {
    SSLSessionContext sessions = checked.getClientSessionContext();
    for (byte[] id : Collections.list(sessions.getIds())) {
      SSLSession session = sessions.getSession(id);
      if (session != null && address.equals(session.getPeerHost().replaceAll("[\\[\\]]", ""))) {
        session.invalidate();
      }
    }
  }

  @Override
  public Map<String, NodeReport> fetch(Collection<Address> pods, Duration timeout) {
    Map<String, NodeReport> reports = new ConcurrentHashMap<>();
    CompletableFuture<?>[] asked =
        pods.stream()
            .map(pod ->
                ask(pod, timeout).thenAccept(it -> it.ifPresent(r -> reports.put(pod.pod(), r))))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(asked).join();
    return Map.copyOf(reports);
  }

  private CompletableFuture<Optional<NodeReport>> ask(Address pod, Duration timeout) {
    String host = pod.ip().contains(":") ? "[" + pod.ip() + "]" : pod.ip();
    String scheme = pod.isSecured() ? "https" : "http";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(scheme + "://" + host + ":" + port + "/actuator/kvorum"))
            .timeout(timeout);
    Optional<String> token = pod.isSecured() ? trust.token(pod.ip()) : Optional.empty();
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    return (token.isPresent() ? checking : client)
        .sendAsync(request.build(), BODY)
        .thenApply(response ->
            response.statusCode() == 200
                ? ReportReader.read(response.body())
                : Optional.<NodeReport>empty())
        .completeOnTimeout(
            Optional.empty(), timeout.toMillis() * 2, java.util.concurrent.TimeUnit.MILLISECONDS)
        .exceptionally(silent -> Optional.empty());
  }
}
