package dev.kvorum.operator.observe;

import dev.kvorum.operator.view.NodeReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fetches reports from the nodes' management ports, from all pods in parallel. A node that does not
 * respond in time has no report in this reconciliation; the next one asks it again.
 */
public final class HttpReports implements ReportSource {
  private static final int PORT = 8090;
  private static final int BODY_BYTES_MAX = 1 << 20;
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final BodyHandler<byte[]> BODY =
      BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();

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
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + host + ":" + PORT + "/actuator/kvorum"))
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
