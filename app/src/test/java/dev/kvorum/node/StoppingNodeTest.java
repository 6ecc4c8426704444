package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.boot.GracefulDrain;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.netty.DisposableServer;

/** What a client receives that is still connected to a node that accepts no more requests. */
class StoppingNodeTest {
  @TempDir private Path directory;
  private final AdmissionControl admission =
      new AdmissionControl(8, 8, 1 << 20, new Meters(new SimpleMeterRegistry()));
  private final RangeStreamLimiter places = new RangeStreamLimiter(1);
  private final HttpClient client = HttpClient.newHttpClient();
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @SuppressWarnings("NullAway.Init") // by serve
  private DisposableServer server;

  @BeforeEach
  void serve() {
    cluster = new LocalCluster(directory, 1);
    Node node = cluster.start(0);
    assertThat(node.ready()).succeedsWithin(Duration.ofSeconds(60));
    server = cluster.serve(0, admission, places, Duration.ofSeconds(30));
  }

  @AfterEach
  void stop() {
    server.disposeNow();
    cluster.stopAll();
    client.close();
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString("value")).build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void aNodeThatWorksKeepsItsConnections() throws Exception {
    HttpResponse<String> answer = send("PUT", "/v0/entity?id=key");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("Connection")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /v0/entity?id=key",
    "GET, /v0/entity?id=key",
    "DELETE, /v0/entity?id=key",
    "GET, /v0/entities?start=k"
  })
  void itIsSentElsewhere(String method, String path) throws Exception {
    new GracefulDrain(admission, places, Duration.ofSeconds(1)).stop();
    HttpResponse<String> answer = send(method, path);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("stopping");
    assertThat(answer.headers().firstValue("Connection")).contains("close");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }
}
