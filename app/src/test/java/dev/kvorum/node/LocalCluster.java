package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.FailedAttempts;
import dev.kvorum.boot.NodeRoutes;
import dev.kvorum.config.KvorumProperties;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.http.AccessControl;
import dev.kvorum.http.AdmissionControl;
import dev.kvorum.http.EntityRoutes;
import dev.kvorum.http.RangeStreamLimiter;
import dev.kvorum.http.RequestLog;
import dev.kvorum.metrics.Meters;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.tracing.Tracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Real nodes in this process, without Spring and without HTTP. */
public final class LocalCluster {
  private static final Duration READY_MAX = Duration.ofSeconds(30);

  private final Path directory;
  private final List<Integer> ports;
  private final Map<String, String> more = new HashMap<>();
  private final Map<Integer, Node> running = new HashMap<>();
  private Tracer tracer = Tracer.NONE;

  public LocalCluster(Path directory, int size) {
    this.directory = directory;
    this.ports = freePorts(size);
  }

  public static List<Integer> freePorts(int count) {
    List<ServerSocket> taken = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        taken.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = taken.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : taken) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static KvorumProperties properties(Map<String, String> settings) {
    return new Binder(new MapConfigurationPropertySource(settings))
        .bindOrCreate("kvorum", Bindable.of(KvorumProperties.class));
  }

  public KvorumProperties properties(int index) {
    String peers =
        IntStream.range(0, ports.size())
            .mapToObj(i -> "n" + i + "=127.0.0.1:" + ports.get(i))
            .collect(Collectors.joining(","));
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "kvorum.node.name",
                "n" + index,
                "kvorum.node.event-loops",
                "2",
                "kvorum.data-dir",
                directory.resolve("n" + index).toString(),
                "kvorum.cluster.peers",
                peers,
                "kvorum.rpc.port",
                ports.get(index).toString(),
                "kvorum.hints.interval",
                "100ms",
                "kvorum.storage.memory",
                "16MB",
                "kvorum.storage.disk-free-min",
                "1MB"));
    settings.putAll(more);
    return properties(settings);
  }

  /** A setting of the nodes that are started from here on. */
  public void set(String name, String value) {
    more.put(name, value);
  }

  /** What sees the spans of the nodes that are started from here on. */
  public void trace(Tracer newTracer) {
    tracer = newTracer;
  }

  /** Takes a setting back that {@link #set} gave. */
  public void unset(String name) {
    more.remove(name);
  }

  /** Where a member listens for the others. */
  public int port(int index) {
    return ports.get(index);
  }

  public Node start(int index) {
    Node node = prepare(index);
    running.put(index, node);
    node.start();
    return node;
  }

  /** Starts all nodes, and waits until they are ready. */
  public List<Node> startAll() {
    List<Node> nodes = IntStream.range(0, ports.size()).mapToObj(this::start).toList();
    nodes.forEach(node -> assertThat(node.ready()).succeedsWithin(READY_MAX));
    return nodes;
  }

  /** A node that has not begun to listen or connect, and that the caller closes. */
  public Node prepare(int index) {
    return prepare(index, InstantSource.system());
  }

  /** The same with a wall clock of its own. */
  Node prepare(int index, InstantSource wallClock) {
    NodeSettings settings = NodeSettings.of(properties(index));
    return new Node(
        settings, settings.peerTls(), wallClock, new Meters(new SimpleMeterRegistry()), tracer);
  }

  /** A node that runs. */
  public Node node(int index) {
    return Objects.requireNonNull(running.get(index), "it does not run");
  }

  public void stop(int index) {
    Node node = running.remove(index);
    if (node != null) {
      node.close();
    }
  }

  public void stopAll() {
    List.copyOf(running.keySet()).forEach(this::stop);
  }

  /** The HTTP server of a node, on a port of its own, without Spring. */
  public DisposableServer serve(
      int index, AdmissionControl admission, RangeStreamLimiter places, Duration idleTimeout) {
    return serve(node(index), index, admission, places, idleTimeout);
  }

  /** The HTTP server of any node of this cluster. */
  public DisposableServer serve(
      Node node,
      int index,
      AdmissionControl admission,
      RangeStreamLimiter places,
      Duration idleTimeout) {
    NodeSettings settings = NodeSettings.of(properties(index));
    Meters meters = new Meters(new SimpleMeterRegistry());
    RequestLog log = new RequestLog(meters.requests(), Duration.ZERO, Tracer.NONE);
    EntityRoutes routes =
        NodeRoutes.of(
            node,
            settings,
            TestSettings.with(settings.properties().range(), "idle-timeout=" + idleTimeout),
            new AccessControl(
                settings.users(),
                new Authenticator(new FailedAttempts(10, 16, System::nanoTime), Optional.empty()),
                settings.audit()),
            admission,
            places,
            log,
            meters);
    return HttpServer.create()
        .host("127.0.0.1")
        .port(0)
        .runOn(node.loops())
        .route(routes::apply)
        .bindNow();
  }

  /** What comes of an operation on a node, begun on one of its loops. */
  public static <T> CompletableFuture<T> on(
      Node node, int loop, Function<Coordinator, Mono<T>> operation) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    List<EventLoop> loops = node.loops().all();
    loops
        .get(loop % loops.size())
        .execute(() ->
            operation
                .apply(node.coordinator())
                .subscribe(outcome::complete, outcome::completeExceptionally));
    return outcome;
  }
}
