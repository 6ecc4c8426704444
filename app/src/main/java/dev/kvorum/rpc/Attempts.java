package dev.kvorum.rpc;

import dev.kvorum.security.TlsMode;
import dev.kvorum.topology.MemberId;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attempts to connect to a peer, one at a time; all on the event loop. */
final class Attempts {
  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  private final MemberId id;
  private final PeerLocator locator;
  private final Dialer dialer;
  private final EventLoop loop;
  private final Duration connectTimeout;
  private final Target target;
  private boolean isUnderway;
  private boolean isClosed;
  private String lastUnsecured = "";
  // Where to connect without TLS, should TLS fail and plain connections be permitted.
  private @Nullable InetSocketAddress plainAddress;

  /** Whom the connections are for. */
  interface Target {
    /** A new connection. */
    PeerConnection connection();

    /** Whether there is a connection already, which another one may replace. */
    boolean hasConnection();

    /** Whether a connection was admitted by the peer. */
    boolean isAdmitted(PeerConnection connection);

    /** The peer has not said anything. */
    void notReached();

    void failed(String why);
  }

  Attempts(
      MemberId id,
      PeerLocator locator,
      Dialer dialer,
      EventLoop loop,
      Duration connectTimeout,
      Target target) {
    this.id = id;
    this.locator = locator;
    this.dialer = dialer;
    this.loop = loop;
    this.connectTimeout = connectTimeout;
    this.target = target;
  }

  boolean isUnderway() {
    return isUnderway;
  }

  void begin() {
    isUnderway = true;
    locator
        .locate(id)
        .whenCompleteAsync(
            (address, failure) -> {
              if (isClosed) {
                isUnderway = false;
              } else if (address == null) {
                notReached(String.valueOf(failure == null ? "no address" : failure.getMessage()));
              } else {
                dial(address, dialer.mode() != TlsMode.OFF);
              }
            },
            loop);
  }

  /** The peer has admitted a connection. */
  void succeeded() {
    isUnderway = false;
    plainAddress = null;
  }

  /** The peer has closed a connection without admitting it. */
  void rejected(String why) {
    if (!connectsPlain(why)) {
      failed(why);
    }
  }

  /** Begins no more. */
  void close() {
    isClosed = true;
  }

  private void dial(InetSocketAddress address, boolean isSecured) {
    // A connection is not replaced by a worse one.
    boolean mayFallBack = dialer.mode() == TlsMode.PERMISSIVE && !target.hasConnection();
    plainAddress = isSecured && mayFallBack ? address : null;
    PeerConnection connection = target.connection();
    ChannelFuture attempt =
        isSecured
            ? dialer.dialSecurely(address, id, connection, this::notReached, this::notSecured)
            : dialer.dial(address, connection, this::notReached);
    loop.schedule(
        () -> {
          boolean hasBegun = attempt.channel().pipeline().context(connection) != null;
          if (!target.isAdmitted(connection) && hasBegun && attempt.channel().isActive()) {
            target.notReached();
            connection.close("no handshake in time");
          }
        },
        dialer.handshakeMillis(connectTimeout, isSecured),
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
    if (address == null || isClosed) {
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
    target.notReached();
    failed(why);
  }

  private void failed(String why) {
    isUnderway = false;
    plainAddress = null;
    target.failed(why);
  }
}
