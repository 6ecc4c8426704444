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
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer, as seen from one event loop. Keeps a connection to it, reconnects with exponential
 * backoff, and detects its failure. With TLS, a connection of some age is replaced by another one,
 * for which both ends prove again who they are; requests that wait for replies are not disturbed.
 */
final class Peer implements PeerConnectionOwner, Attempts.Target {
  private static final Logger log = LoggerFactory.getLogger(Peer.class);
  private static final double HEDGE_QUANTILE = 0.95;

  private final HandshakePolicy handshakes;
  private final MemberId id;
  private final RpcSettings settings;
  private final OutboundBudget outbound;
  private final Dialer dialer;
  private final Backoff backoff;
  private final Attempts attempts;
  private final RpcMeters allMeters;
  private final PeerMeters meters;
  private final RemoteClockMonitor clocks;
  private final FailureDetector detector;
  private final LatencyQuantile slowRead;
  private long timedReads;

  private @Nullable PeerConnection established;
  // A copy for other threads of the field above, which the loop reads for every request.
  private volatile boolean connected;
  private long replacedAtNanos;
  // Replaced by the established one, and waiting for its last replies.
  private @Nullable PeerConnection retiring;
  private volatile boolean known;
  private boolean closed;
  private long lastPingNanos;
  private String lastFailure = "";

  Peer(PeerContext context, MemberId id, Dialer dialer, EventLoop loop) {
    PeerSettings settings = context.settings();
    this.handshakes = context.handshakes();
    this.id = id;
    this.settings = settings.rpc();
    this.outbound = context.outbound();
    this.dialer = dialer;
    this.backoff = new Backoff(settings.rpc(), context.random());
    this.attempts =
        new Attempts(id, context.locator(), dialer, loop, settings.rpc().connectTimeout(), this);
    this.allMeters = context.meters();
    this.meters = allMeters.open(id.name());
    this.clocks = context.clocks();
    this.detector = new FailureDetector(settings.rpc().suspectAfter().toNanos());
    this.slowRead =
        new LatencyQuantile(
            HEDGE_QUANTILE, settings.hedgeMin().toNanos(), settings.hedgeMax().toNanos());
  }

  Transport.Call ask(
      ReplicaRequest request, long epoch, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    PeerConnection connection = established;
    if (connection == null) {
      return reject(RejectReason.UNREACHABLE, meters, waiter);
    }
    return connection.ask(request, epoch, timeoutMillis, waiter);
  }

  /** Replies to a request that is not sent. */
  static Transport.Call reject(
      RejectReason reason, PeerMeters meters, Waiter<ReplicaReply> waiter) {
    meters.rejected(reason.label());
    waiter.reply(new ReplicaReply.Failed(reason));
    return Transport.Call.DONE;
  }

  boolean isSuspect() {
    // Most requests need no clock for it.
    return !detector.isTrusted() && detector.isSuspect(System.nanoTime());
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
      backoff.reset();
      tick();
    }
  }

  /** Sends heartbeats and connects; called on the loop every few milliseconds. */
  void tick() {
    long now = System.nanoTime();
    PeerConnection connection = established;
    measure(connection, now);
    if (connection == null) {
      if (!attempts.isUnderway() && !closed && backoff.isOver(now)) {
        attempts.begin();
      }
    } else if (detector.silentNanos(now) > settings.dropAfter().toNanos()) {
      connection.close("no reply for " + settings.dropAfter());
    } else if (now - lastPingNanos >= settings.heartbeat().toNanos()) {
      lastPingNanos = now;
      connection.ping(clocks.ask());
      detector.asked(now);
    } else if (isAged(now)) {
      attempts.begin();
    }
    if (retiring != null && retiring.isIdle()) {
      retiring.close("it was replaced");
    }
  }

  private boolean isAged(long now) {
    boolean isBusy = attempts.isUnderway() || closed || retiring != null;
    return dialer.mode() != TlsMode.OFF && !isBusy && now - replacedAtNanos >= 0;
  }

  private void measure(@Nullable PeerConnection connection, long now) {
    meters.suspect(detector.isSuspect(now));
    connected = detector.isConnected(now);
    if (connection != null) {
      connection.countMoved();
    }
  }

  /** Closes the connection to a former member, whose clock counts no longer; call it once. */
  void remove() {
    clocks.remove(id);
    close();
  }

  /**
   * Closes the connection; call it once. The peer's clock still limits that of this node: a
   * high-water mark stored while it stops must not follow a wrong clock.
   */
  void close() {
    closed = true;
    attempts.close();
    allMeters.close(id.name());
    handshakes.forget(id);
    handshakes.fence().admittedBy(id);
    if (established != null) {
      established.close("this node is stopping");
    }
    if (retiring != null) {
      retiring.close("this node is stopping");
    }
  }

  @Override
  public PeerConnection connection() {
    return new PeerConnection(handshakes, id, settings, outbound, meters, this);
  }

  @Override
  public boolean hasConnection() {
    return established != null;
  }

  @Override
  public boolean isAdmitted(PeerConnection connection) {
    return connection == established || connection == retiring;
  }

  @Override
  public void notReached() {
    if (established == null) {
      handshakes.fence().notReached(id);
    }
  }

  @Override
  public void failed(String why) {
    boolean isNews = !why.equals(lastFailure) && !closed;
    lastFailure = why;
    if (established != null) {
      if (isNews) {
        log.info("Kept the connection to {}, no other one could replace it: {}", id, why);
      }
      replacedAtNanos = dialer.soonNanos();
      return;
    }
    if (isNews) {
      log.warn("No connection to {}: {}", id, why);
    }
    known = true;
    backoff.failed();
  }

  @Override
  public void ready(PeerConnection connection) {
    if (closed) {
      connection.close("this node is stopping");
      return;
    }
    if (established == null) {
      log.info("Connected to {}", id);
      meters.connected();
    } else {
      retire(established);
    }
    attempts.succeeded();
    lastFailure = "";
    backoff.reset();
    established = connection;
    replacedAtNanos = dialer.replacementNanos();
    connected = true;
    known = true;
    detector.connected();
    // Sent at once, for a reading of the peer's clock.
    lastPingNanos = System.nanoTime();
    connection.ping(clocks.ask());
  }

  private void retire(PeerConnection old) {
    if (retiring != null) {
      retiring.close("it was replaced twice");
    }
    old.countMoved();
    retiring = old;
  }

  @Override
  public void closed(PeerConnection connection, String why) {
    if (connection == retiring) {
      retiring = null;
      return;
    }
    if (connection != established) {
      attempts.rejected(why);
      return;
    }
    established = null;
    connected = false;
    detector.disconnected();
    // What was to replace it may still succeed.
    if (!attempts.isUnderway()) {
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
