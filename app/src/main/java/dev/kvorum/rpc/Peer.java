package dev.kvorum.rpc;

import dev.kvorum.data.RejectReason;
import dev.kvorum.metrics.PeerMeters;
import dev.kvorum.metrics.RpcMeters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.security.TlsMode;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer, as seen from one event loop. Keeps a connection to it, reconnects with exponential
 * backoff, and detects its failure.
 */
final class Peer implements PeerConnectionOwner {
  private static final Logger log = LoggerFactory.getLogger(Peer.class);
  private static final double HEDGE_QUANTILE = 0.95;

  private final HandshakePolicy handshakes;
  private final MemberId id;
  private final PeerLocator locator;
  private final RpcSettings settings;
  private final OutboundBudget outbound;
  private final Dialer dialer;
  private final EventLoop loop;
  private final RandomGenerator random;
  private final RpcMeters allMeters;
  private final PeerMeters meters;
  private final RemoteClockMonitor clocks;
  private final FailureDetector detector;
  private final LatencyQuantile slowRead;
  private long timedReads;

  private @Nullable PeerConnection established;
  // A copy for other threads of the field above, which the loop reads for every request.
  private volatile boolean connected;
  private volatile boolean known;
  private boolean connecting;
  private boolean closed;
  private long pauseMillis;
  private long nextAttemptNanos;
  private long lastPingNanos;
  private String lastFailure = "";
  private String lastUnsecured = "";
  // Where to connect without TLS, should TLS fail and plain connections be permitted.
  private @Nullable InetSocketAddress plainAddress;

  Peer(
      HandshakePolicy handshakes,
      MemberId id,
      PeerLocator locator,
      PeerSettings settings,
      OutboundBudget outbound,
      Dialer dialer,
      EventLoop loop,
      RandomGenerator random,
      RpcMeters meters,
      RemoteClockMonitor clocks) {
    this.handshakes = handshakes;
    this.id = id;
    this.locator = locator;
    this.settings = settings.rpc();
    this.outbound = outbound;
    this.dialer = dialer;
    this.loop = loop;
    this.random = random;
    this.allMeters = meters;
    this.meters = meters.open(id.name());
    this.clocks = clocks;
    this.detector = new FailureDetector(settings.rpc().suspectAfter().toNanos());
    this.slowRead =
        new LatencyQuantile(
            HEDGE_QUANTILE, settings.hedgeMin().toNanos(), settings.hedgeMax().toNanos());
  }

  Transport.Call ask(
      ReplicaRequest request, long epoch, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    PeerConnection connection = established;
    if (connection == null) {
      return refuse(RejectReason.UNREACHABLE, meters, waiter);
    }
    return connection.ask(request, epoch, timeoutMillis, waiter);
  }

  /** Replies to a request that is not sent. */
  static Transport.Call refuse(
      RejectReason reason, PeerMeters meters, Waiter<ReplicaReply> waiter) {
    meters.refused(reason.label());
    waiter.answer(new ReplicaReply.Failed(reason));
    return Transport.Call.DONE;
  }

  boolean isSuspect() {
    return detector.isSuspect(System.nanoTime());
  }

  /** Returns whether there is a connection on which the peer responds. Safe for any thread. */
  boolean isConnected() {
    return connected;
  }

  /**
   * Returns whether the first attempt to connect has ended, successfully or not. Safe for any
   * thread.
   */
  boolean isKnown() {
    return known;
  }

  long slowReadNanos() {
    return slowRead.nanos();
  }

  long timedReads() {
    return timedReads;
  }

  /** Connects without waiting for the backoff, since the peer has just connected to this node. */
  void seen() {
    if (established == null) {
      pauseMillis = 0;
      nextAttemptNanos = System.nanoTime();
      tick();
    }
  }

  /** Sends heartbeats and connects; called on the loop every few milliseconds. */
  void tick() {
    long now = System.nanoTime();
    PeerConnection connection = established;
    measure(connection, now);
    if (connection == null) {
      if (!connecting && !closed && now - nextAttemptNanos >= 0) {
        connect();
      }
    } else if (detector.silentNanos(now) > settings.dropAfter().toNanos()) {
      connection.close("no reply for " + settings.dropAfter());
    } else if (now - lastPingNanos >= settings.heartbeat().toNanos()) {
      lastPingNanos = now;
      connection.ping(clocks.ask());
      detector.asked(now);
    }
  }

  private void measure(@Nullable PeerConnection connection, long now) {
    meters.suspect(detector.isSuspect(now));
    connected = detector.isConnected(now);
    if (connection != null) {
      connection.countMoved();
    }
  }

  /** Closes the connection; call it once. */
  void close() {
    closed = true;
    allMeters.close(id.name());
    clocks.remove(id);
    handshakes.forget(id);
    handshakes.fence().admittedBy(id);
    if (established != null) {
      established.close("this node is stopping");
    }
  }

  private void connect() {
    connecting = true;
    locator
        .locate(id)
        .whenCompleteAsync(
            (address, failure) -> {
              if (closed) {
                connecting = false;
              } else if (address == null) {
                notReached(String.valueOf(failure == null ? "no address" : failure.getMessage()));
              } else {
                dial(address, dialer.mode() != TlsMode.OFF);
              }
            },
            loop);
  }

  private void dial(InetSocketAddress address, boolean isSecured) {
    plainAddress = isSecured && dialer.mode() == TlsMode.PERMISSIVE ? address : null;
    PeerConnection connection =
        new PeerConnection(handshakes, id, settings, outbound, meters, this);
    ChannelFuture attempt =
        isSecured
            ? dialer.dialSecurely(address, id, connection, this::notReached, this::notSecured)
            : dialer.dial(address, connection, this::notReached);
    loop.schedule(
        () -> {
          boolean hasBegun = attempt.channel().pipeline().context(connection) != null;
          if (established != connection && hasBegun && attempt.channel().isActive()) {
            handshakes.fence().notReached(id);
            connection.close("no handshake in time");
          }
        },
        dialer.handshakeMillis(settings.connectTimeout(), isSecured),
        TimeUnit.MILLISECONDS);
  }

  private void notSecured(String why) {
    if (!connectsPlain(why)) {
      notReached(why);
    }
  }

  /** Connects without TLS to a peer that has none yet, as long as that is permitted. */
  private boolean connectsPlain(String why) {
    InetSocketAddress address = plainAddress;
    if (address == null || closed) {
      return false;
    }
    if (!why.equals(lastUnsecured)) {
      log.warn("Connecting to {} without TLS: {}", id, why);
    }
    lastUnsecured = why;
    dial(address, false);
    return true;
  }

  private void notReached(String why) {
    plainAddress = null;
    handshakes.fence().notReached(id);
    failed(why);
  }

  private void failed(String why) {
    connecting = false;
    if (!why.equals(lastFailure) && !closed) {
      log.warn("No connection to {}: {}", id, why);
    }
    lastFailure = why;
    known = true;
    long min = settings.reconnectMin().toMillis();
    pauseMillis = Math.min(settings.reconnectMax().toMillis(), Math.max(min, pauseMillis * 2));
    // Jitter over half of the pause, so that nodes that lost each other together do not retry in
    // step.
    long jittered = pauseMillis / 2 + random.nextLong(pauseMillis / 2 + 1);
    nextAttemptNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(jittered);
  }

  @Override
  public void ready(PeerConnection connection) {
    if (closed) {
      connection.close("this node is stopping");
      return;
    }
    log.info("Connected to {}", id);
    meters.connected();
    connecting = false;
    plainAddress = null;
    lastFailure = "";
    pauseMillis = 0;
    established = connection;
    connected = true;
    known = true;
    detector.connected();
    // Sent at once, for a reading of the peer's clock.
    lastPingNanos = System.nanoTime();
    connection.ping(clocks.ask());
  }

  @Override
  public void closed(PeerConnection connection, String why) {
    established = null;
    connected = false;
    detector.disconnected();
    if (!connectsPlain(why)) {
      failed(why);
    }
  }

  @Override
  public void received() {
    detector.received();
  }

  @Override
  public void readTook(long nanos) {
    slowRead.add(nanos);
    timedReads++;
  }

  @Override
  public void onPeerTime(RemoteClockMonitor.Asked asked, long peerMillis) {
    clocks.onReading(id, asked, peerMillis, settings.suspectAfter());
  }
}
