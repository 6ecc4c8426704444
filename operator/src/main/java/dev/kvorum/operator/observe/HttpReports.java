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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
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

  public HttpReports() {
    this(ManagementPort.NUMBER);
  }

  HttpReports(int port) {
    this.port = port;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .sslContext(secured(trust))
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
  public void trust(Collection<Address> pods, Set<X509Certificate> authorities) {
    if (!authorities.isEmpty()) {
      pods.forEach(pod -> trust.trust(pod.ip(), authorities));
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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(scheme + "://" + host + ":" + port + "/actuator/kvorum"))
            .timeout(timeout)
            .build();
    return client
        .sendAsync(request, BODY)
        .thenApply(answer ->
            answer.statusCode() == 200
                ? ReportReader.read(answer.body())
                : Optional.<NodeReport>empty())
        .completeOnTimeout(
            Optional.empty(), timeout.toMillis() * 2, java.util.concurrent.TimeUnit.MILLISECONDS)
        .exceptionally(silent -> Optional.empty());
  }
}
