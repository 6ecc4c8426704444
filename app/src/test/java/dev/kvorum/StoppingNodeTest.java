package dev.kvorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.EntitiesHandler;
import dev.kvorum.http.EntityHandler;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.RangePlaces;
import dev.kvorum.http.RequestLog;
import dev.kvorum.metrics.Meters;
import dev.kvorum.tracing.Tracer;
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
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** What a client hears that is still connected to a node that takes no more requests on. */
class StoppingNodeTest {
  @TempDir private Path directory;
  private final Meters meters = new Meters(new SimpleMeterRegistry());
  private final AdmissionControl admission = new AdmissionControl(8, 8, 1 << 20, meters);
  private final HttpClient client = HttpClient.newHttpClient();
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @SuppressWarnings("NullAway.Init") // by serve
  private DisposableServer server;

  @BeforeEach
  void serve() {
    cluster = new LocalCluster(directory, 1);
    Node node = cluster.start(0);
    assertThat(node.ready()).succeedsWithin(Duration.ofSeconds(60));
    NodeSettings settings = NodeSettings.of(cluster.properties(0));
    RequestLog log = new RequestLog(meters.requests(), Duration.ZERO, Tracer.NONE);
    EntityRoutes routes =
        new EntityRoutes(
            new EntityHandler(node::coordinator, node::fromMax, admission, settings.http(), log),
            new EntitiesHandler(
                node::coordinator,
                settings.range(),
                new RangePlaces(1),
                Duration.ofSeconds(30),
                log,
                meters));
    server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .runOn(node.loops())
            .route(routes::apply)
            .bindNow();
  }

  @AfterEach
  void stop() {
    server.disposeNow();
    cluster.stopAll();
    client.close();
  }

  private HttpResponse<String> send(String method) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + "/v0/entity?id=key");
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString("value")).build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void aNodeThatWorksKeepsItsConnections() throws Exception {
    HttpResponse<String> answer = send("PUT");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.headers().firstValue("Connection")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "GET", "DELETE"})
  void itIsSentElsewhere(String method) throws Exception {
    admission.close();
    HttpResponse<String> answer = send(method);
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("stopping");
    assertThat(answer.headers().firstValue("Connection")).contains("close");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
  }
}
