package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReadOutcome;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.data.RejectReason;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.metrics.Meters;
import dev.kvorum.topology.MemberId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.DisposableServer;

/** Two processes that are both member {@code n2} of a cluster of three. */
class FencedNodeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Quorum MAJORITY = new Quorum(2, 3);
  private static final Key KEY = Key.of("k");
  private static final MemberId N2 = new MemberId("n2");
  private static final WriteOutcome NO_WRITE = new WriteOutcome.Rejected(RejectReason.FENCED);
  private static final ReadOutcome NO_READ = new ReadOutcome.Rejected(RejectReason.FENCED);

  @TempDir private Path directory;
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @BeforeEach
  void start() {
    cluster = new LocalCluster(directory, 3);
    // Ready, though a process that is fenced somewhere does not have all connections.
    cluster.set("kvorum.limits.startup-peers", "1s");
    cluster.startAll();
  }

  @AfterEach
  void stop() {
    cluster.stopAll();
  }

  /** Another process of {@code n2}, on this directory and a port of its own. */
  private Node twinOn(Path data) {
    cluster.set("kvorum.data-dir", data.toString());
    cluster.set("kvorum.rpc.port", LocalCluster.freePorts(1).getFirst().toString());
    return cluster.prepare(2);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  private static WriteOutcome write(Node node, int loop) {
    return LocalCluster.on(
            node, loop, it -> it.write(KEY, MAJORITY, new Change.Put(new byte[] {1}, 0), () -> {}))
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  /** A clock that begins above its last mark gives no versions for a moment. */
  private static void awaitWrite(Node node) {
    await().atMost(TIMEOUT).until(() -> write(node, 0) instanceof WriteOutcome.Acknowledged);
  }

  private static ReadOutcome read(Node node, int loop) {
    return LocalCluster.on(node, loop, it -> it.read(KEY, MAJORITY, bytes -> true))
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  @Test
  void theOlderProcessOnTheSameDataRejectsAllRequestsOnceAPeerHasMetTheLater() throws Exception {
    cluster.stop(2);
    Path copy = directory.resolve("copy");
    copy(directory.resolve("n2"), copy);
    Node older = cluster.start(2);
    assertThat(older.ready()).succeedsWithin(TIMEOUT);
    awaitWrite(older);

    try (Node later = twinOn(copy)) {
      later.start();
      await().atMost(TIMEOUT).until(() -> older.core().fence().isSuperseded());
      for (int loop = 0; loop < 2; loop++) {
        assertThat(write(older, loop)).isEqualTo(NO_WRITE);
        assertThat(read(older, loop)).isEqualTo(NO_READ);
      }
      assertAnswersFenced(older);
      for (int i = 0; i < 2; i++) {
        Node peer = cluster.node(i);
        await()
            .atMost(TIMEOUT)
            .until(() ->
                peer.core().processes().current(N2).orElseThrow().equals(later.self().process()));
        // Its address leads to the older process still, which no event loop uses.
        await()
            .atMost(TIMEOUT)
            .until(() ->
                peer.core().loopContexts().stream()
                    .noneMatch(loopContext -> loopContext.transport().isConnected(N2)));
      }
      assertThat(later.ready()).succeedsWithin(TIMEOUT);
      awaitWrite(later);
      assertThat(later.core().fence().isRaised()).isFalse();
    }
  }

  private void assertAnswersFenced(Node node) throws Exception {
    AdmissionControl admission =
        new AdmissionControl(8, 8, 1 << 20, new Meters(new SimpleMeterRegistry()));
    DisposableServer server =
        cluster.serve(node, 2, admission, new RangeStreamLimiter(1), Duration.ofSeconds(30));
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String request :
          new String[] {
            "PUT /v0/entity?id=k",
            "GET /v0/entity?id=k",
            "DELETE /v0/entity?id=k",
            "GET /v0/entities?start=a"
          }) {
        String[] words = request.split(" ", 2);
        URI uri = URI.create("http://127.0.0.1:" + server.port() + words[1]);
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(uri).method(words[0], BodyPublishers.ofString("v")).build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(request).isEqualTo(503);
        assertThat(answer.body()).as(request).contains("fenced");
        assertThat(answer.headers().firstValue("Retry-After")).as(request).isPresent();
      }
    } finally {
      server.disposeNow();
    }
  }

  @Test
  void aSecondProcessWithOtherDataIsFencedUntilTheFirstIsGone() {
    Node first = cluster.node(2);
    try (Node second = twinOn(directory.resolve("empty"))) {
      second.start();
      await().atMost(TIMEOUT).until(() -> second.core().fence().isRaised());
      assertThat(second.core().fence().isSuperseded()).isFalse();
      assertThat(write(second, 0)).isEqualTo(NO_WRITE);
      assertThat(read(second, 1)).isEqualTo(NO_READ);
      assertThat(first.core().fence().isRaised()).isFalse();
      assertThat(write(first, 1)).isInstanceOf(WriteOutcome.Acknowledged.class);

      cluster.stop(2);
      await().atMost(TIMEOUT).until(() -> !second.core().fence().isRaised());
      await().atMost(TIMEOUT).until(() -> write(second, 0) instanceof WriteOutcome.Acknowledged);
    }
  }
}
