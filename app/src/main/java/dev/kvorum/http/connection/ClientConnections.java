package dev.kvorum.http.connection;

import dev.kvorum.deadlines.DeadlineQueues;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Limits the number of client connections and closes idle ones.
 *
 * <p>Reactor Netty's own idle timeout changes the pipeline twice per request. Here a request costs
 * two counters. Each event loop sweeps its connections several times per timeout.
 */
public final class ClientConnections implements NettyServerCustomizer {
  private static final Logger log = LoggerFactory.getLogger(ClientConnections.class);
  private static final String NAME = "kvorum.clientConnection";
  private static final String STRICT = "kvorum.strictHttp";
  private static final long WARNING_INTERVAL_NANOS = 1_000_000_000;

  /** A connection closes after at most one and a quarter of the timeout without activity. */
  private static final int SWEEPS_PER_TIMEOUT = 4;

  private final int connectionsMax;
  private final int pipelinedRequestsMax;
  private final long discardMax;
  private final long sweepNanos;
  private final long pauseMaxNanos;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());
  private final FastThreadLocal<OfLoop> ofLoop = new FastThreadLocal<>();

  /** The connections of one event loop. */
  private record OfLoop(Set<ClientConnection> connections, DeadlineQueues pauses) {}

  public ClientConnections(ConnectionSettings settings) {
    connectionsMax = settings.connectionsMax();
    pipelinedRequestsMax = settings.pipelinedRequestsMax();
    discardMax = settings.discardBytesMax();
    pauseMaxNanos = settings.overloadPauseMax().toNanos();
    sweepNanos = Math.max(1, settings.idleTimeout().toNanos() / SWEEPS_PER_TIMEOUT);
  }

  @Override
  public HttpServer apply(HttpServer server) {
    // Reading stops at far fewer, but one read may contain this many of the shortest requests.
    HttpServer bounded = server.maxPipelineDepth(pipelinedRequestsMax);
    return bounded.doOnChannelInit((observer, channel, address) -> {
      if (accept(channel)) {
        OfLoop mine = ofLoop(channel.eventLoop());
        ClientConnection connection = new ClientConnection(channel, mine.pauses(), pauseMaxNanos);
        channel
            .pipeline()
            .addBefore(NettyPipeline.HttpTrafficHandler, NAME, connection)
            .addBefore(
                NettyPipeline.HttpTrafficHandler,
                STRICT,
                new StrictHttpHandler(connection, discardMax));
        mine.connections().add(connection);
        channel.closeFuture().addListener(closed -> mine.connections().remove(connection));
      }
    });
  }

  /** Number of open connections. */
  public int open() {
    return open.get();
  }

  private boolean accept(Channel channel) {
    if (open.incrementAndGet() <= connectionsMax) {
      channel.closeFuture().addListener(closed -> open.decrementAndGet());
      return true;
    }
    open.decrementAndGet();
    channel.close();
    long due = nextWarningNanos.get();
    long now = System.nanoTime();
    if (now - due >= 0 && nextWarningNanos.compareAndSet(due, now + WARNING_INTERVAL_NANOS)) {
      log.warn(
          "Rejected a connection from {}: {} are open (kvorum.limits.connections-max)",
          channel.remoteAddress(),
          connectionsMax);
    }
    return false;
  }

  private OfLoop ofLoop(EventLoop loop) {
    OfLoop known = ofLoop.get();
    if (known != null) {
      return known;
    }
    Set<ClientConnection> connections = new HashSet<>();
    OfLoop made = new OfLoop(connections, new DeadlineQueues(System::nanoTime, loop::schedule));
    ofLoop.set(made);
    // Apart: a periodic task that throws would not run again.
    loop.scheduleWithFixedDelay(
        () -> loop.execute(() -> sweep(connections)), sweepNanos, sweepNanos, TimeUnit.NANOSECONDS);
    return made;
  }

  private static void sweep(Set<ClientConnection> connections) {
    List<ClientConnection> idle = new ArrayList<>();
    for (ClientConnection connection : connections) {
      if (connection.sweep() > SWEEPS_PER_TIMEOUT) {
        idle.add(connection);
      }
    }
    // Closing removes them from the set.
    idle.forEach(ClientConnection::close);
  }
}
