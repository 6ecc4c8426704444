package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.DisposableServer;

/** Clients of ranges that leave, stall, or are too many. */
class RangeHttpTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int RECORDS = 2_000;
  private static final int VALUE_BYTES = 10_000;
  private static final int WRITES_AT_A_TIME = 100;

  @SuppressWarnings("NullAway.Init") // by makeANode
  private Node node;

  @TempDir private Path directory;
  private final RangeStreamLimiter places = new RangeStreamLimiter(3);
  private final List<Socket> sockets = new ArrayList<>();
  private LocalCluster cluster = new LocalCluster(Path.of(""), 0);

  @BeforeEach
  void makeANode() {
    cluster = new LocalCluster(directory, 1);
    Node node = cluster.start(0);
    assertThat(node.ready()).succeedsWithin(TIMEOUT);
    IntStream.range(0, RECORDS)
        .mapToObj(i -> Key.of("key " + i))
        .gather(Gatherers.windowFixed(WRITES_AT_A_TIME))
        .forEach(keys -> writeAll(node, keys));
    this.node = node;
  }

  private static void writeAll(Node node, List<Key> keys) {
    List<CompletableFuture<WriteOutcome>> outcomes =
        keys.stream().map(key -> write(node, key)).toList();
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      if (!isAcknowledged(outcomes.get(i))) {
        // A machine that is busy with other tests may hold any single write up.
        await().atMost(TIMEOUT).until(() -> isAcknowledged(write(node, key)));
      }
    }
  }

  private static boolean isAcknowledged(CompletableFuture<WriteOutcome> outcome) {
    return outcome.join() instanceof WriteOutcome.Acknowledged;
  }

  private static CompletableFuture<WriteOutcome> write(Node node, Key key) {
    Change change = new Change.Put(new byte[VALUE_BYTES], 0);
    return LocalCluster.on(node, 0, to -> to.write(key, new Quorum(1, 1), change, () -> {}));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    cluster.stopAll();
  }

  private DisposableServer serve(Duration idleTimeout) {
    AdmissionControl admission =
        new AdmissionControl(1, 1, 1 << 20, new Meters(new SimpleMeterRegistry()));
    return cluster.serve(0, admission, places, idleTimeout);
  }

  private InputStream ask(DisposableServer server, String header) throws IOException {
    Socket socket = new Socket();
    // Small, so that little of a stream hides in the system's buffers.
    socket.setReceiveBufferSize(4 << 10);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    sockets.add(socket);
    socket
        .getOutputStream()
        .write(
            ("GET /v0/entities?start=k HTTP/1.1\r\nHost: k\r\n" + header + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket.getInputStream();
  }

  private static String statusLine(InputStream in) throws IOException {
    return new String(in.readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
  }

  @Test
  void clientsThatLeaveFreeTheirPlaceAndLeaveNoBufferBehind() throws Exception {
    Queue<String> leaks = new ConcurrentLinkedQueue<>();
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    DisposableServer server = serve(Duration.ofSeconds(30));
    try {
      List<String> headers =
          List.of("", "Accept: application/x-ndjson\r\n", "Accept-Encoding: gzip\r\n");
      for (int i = 0; i < 30; i++) {
        InputStream in = ask(server, headers.get(i % 3));
        assertThat(statusLine(in)).isEqualTo("HTTP/1.1 200");
        in.readNBytes(i * 1_000);
        Socket socket = sockets.removeLast();
        if (i % 2 == 0) {
          socket.setSoLinger(true, 0);
        }
        socket.close();
        await().atMost(TIMEOUT).until(() -> places.taken() == 0);
      }
      for (int i = 0; i < 5; i++) {
        System.gc();
        node.loops().all().getFirst().submit(() -> {}).await();
        // Leaks are reported when the next buffer is allocated.
        statusLine(ask(server, ""));
        sockets.removeLast().close();
      }
      await().atMost(TIMEOUT).until(() -> places.taken() == 0);
      assertThat(leaks).isEmpty();
    } finally {
      server.disposeNow();
      ByteBufUtil.setLeakListener(null);
      ResourceLeakDetector.setLevel(before);
    }
  }

  @Test
  void rejectsOneMoreThanThereArePlacesFor() throws Exception {
    DisposableServer server = serve(Duration.ofSeconds(30));
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(statusLine(ask(server, ""))).isEqualTo("HTTP/1.1 200");
      }
      assertThat(places.taken()).isEqualTo(3);
      assertThat(statusLine(ask(server, ""))).isEqualTo("HTTP/1.1 503");
      sockets.removeFirst().close();
      await().atMost(TIMEOUT).until(() -> places.taken() == 2);
      assertThat(statusLine(ask(server, ""))).isEqualTo("HTTP/1.1 200");
    } finally {
      server.disposeNow();
    }
  }

  @Test
  void cutsOffAClientThatTakesNothingButNotASlowOne() throws Exception {
    DisposableServer server = serve(Duration.ofMillis(800));
    try {
      InputStream slow = ask(server, "Connection: close\r\n");
      InputStream idle = ask(server, "");
      assertThat(statusLine(idle)).isEqualTo("HTTP/1.1 200");
      // Slow enough that the other one is cut off before the end of the stream.
      AtomicLong taken = new AtomicLong();
      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> {
            taken.addAndGet(slow.readNBytes(50_000).length);
            return places.taken() < 2;
          });
      assertThat(places.taken()).as("after the slow one took %s bytes", taken).isEqualTo(1);
      long rest = slow.transferTo(OutputStream.nullOutputStream());
      assertThat(rest + taken.get()).isGreaterThan((long) RECORDS * VALUE_BYTES);
    } finally {
      server.disposeNow();
    }
  }
}
