package dev.kvorum.rpc;

import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsMode;
import dev.kvorum.topology.MemberId;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/** Opens connections to peers from one event loop, and secures them. */
final class Dialer {
  private final Bootstrap bootstrap;
  private final EventLoop loop;
  private final PeerTls tls;
  private final String clusterId;

  Dialer(Bootstrap bootstrap, EventLoop loop, PeerTls tls, String clusterId) {
    this.bootstrap = bootstrap;
    this.loop = loop;
    this.tls = tls;
    this.clusterId = clusterId;
  }

  /** Whether connections are secured, if both ends can. */
  TlsMode mode() {
    return tls.mode();
  }

  /** When a connection of now is replaced. */
  long replacementNanos() {
    return tls.port().connectionEndNanos();
  }

  /** When it is tried again to replace a connection. */
  long soonNanos() {
    return System.nanoTime() + tls.port().connectionAge().toNanos() / 16;
  }

  /** Longest time until a connection is admitted. */
  long handshakeMillis(Duration connectTimeout, boolean isSecured) {
    Duration tlsMax = isSecured ? tls.handshakeTimeout() : Duration.ZERO;
    return connectTimeout.multipliedBy(2).plus(tlsMax).toMillis();
  }

  /**
   * Opens a connection, which then begins with its handshake.
   *
   * @param onUnreachable called with the reason if there is nobody
   */
  ChannelFuture dial(
      InetSocketAddress address, PeerConnection connection, Consumer<String> onUnreachable) {
    return connect(
        address,
        channel -> channel.pipeline().addLast(connection.frames(), connection),
        onUnreachable);
  }

  /**
   * Opens a connection with TLS, which begins with its handshake once the peer has proved that it
   * is the one that is dialled.
   *
   * @param onUnreachable called with the reason if there is nobody
   * @param onUnproven called with the reason if there is no proof
   */
  ChannelFuture dialSecurely(
      InetSocketAddress address,
      MemberId peer,
      PeerConnection connection,
      Consumer<String> onUnreachable,
      Consumer<String> onUnproven) {
    ChannelFuture attempt = connect(address, channel -> {}, onUnreachable);
    attempt.addListener(done -> {
      if (done.isSuccess()) {
        secure(attempt.channel(), peer, connection, onUnproven);
      }
    });
    return attempt;
  }

  private ChannelFuture connect(
      InetSocketAddress address, Consumer<Channel> initializer, Consumer<String> onUnreachable) {
    ChannelFuture attempt =
        bootstrap
            .clone(loop)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    initializer.accept(channel);
                  }
                })
            .connect(address);
    attempt.addListener(done -> {
      if (!done.isSuccess()) {
        onUnreachable.accept(String.valueOf(done.cause().getMessage()));
      }
    });
    return attempt;
  }

  private void secure(
      Channel channel, MemberId peer, PeerConnection connection, Consumer<String> onUnproven) {
    SslHandler handler = tls.dialling(channel.alloc());
    ChannelHandler end = new FailedHandshakes();
    channel.pipeline().addLast(handler, end);
    handler
        .handshakeFuture()
        .addListener(done -> {
          String objection =
              done.isSuccess()
                  ? PeerTls.certificate(handler).objection(clusterId, peer.name())
                  : "no TLS: " + done.cause();
          if (objection.isEmpty()) {
            channel.pipeline().remove(end).addLast(connection.frames(), connection);
            channel.pipeline().context(handler).fireChannelActive();
          } else {
            channel.close();
            onUnproven.accept(objection);
          }
        });
  }

  /** Swallows what the handshake's future reports too; Netty would log it with a stack trace. */
  private static final class FailedHandshakes extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {}
  }
}
