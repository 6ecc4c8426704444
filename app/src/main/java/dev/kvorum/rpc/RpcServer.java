package dev.kvorum.rpc;

import dev.kvorum.replica.LocalReplica;
import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsMode;
import dev.kvorum.topology.MemberId;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections of peers and passes their requests to the local replica. */
public final class RpcServer {
  private static final Logger log = LoggerFactory.getLogger(RpcServer.class);

  private final HandshakePolicy handshakes;
  private final LocalReplica replica;
  private final RpcSettings settings;
  private final Consumer<MemberId> onSeen;
  private final PeerTls tls;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final OutboundBudget outbound;
  private volatile int port;

  /**
   * Creates a server that does not listen yet.
   *
   * @param onSeen called, on any loop, with a member that has just completed a handshake
   */
  public RpcServer(
      HandshakePolicy handshakes,
      LocalReplica replica,
      RpcSettings settings,
      OutboundBudget outbound,
      PeerTls tls,
      Consumer<MemberId> onSeen) {
    this.handshakes = handshakes;
    this.replica = replica;
    this.settings = settings;
    this.outbound = outbound;
    this.tls = tls;
    this.onSeen = onSeen;
  }

  /**
   * Starts to listen. Blocks until the port is bound.
   *
   * @throws IOException if the port cannot be bound, with port and reason in the message
   */
  public void listen(
      int wanted, EventLoopGroup loops, Class<? extends ServerSocketChannel> channelType)
      throws IOException {
    int highWaterMark = (int) Math.min(outbound.connectionMax(), Integer.MAX_VALUE);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(channelType)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWaterMark / 2, highWaterMark))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                })
            .bind(address(wanted))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "port "
              + wanted
              + " (kvorum.rpc.port"
              + (settings.address().isEmpty() ? "" : ", kvorum.rpc.address " + settings.address())
              + ") cannot be bound: "
              + bound.cause().getMessage(),
          bound.cause());
    }
    connections.add(bound.channel());
    port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  private InetSocketAddress address(int wanted) {
    return settings.address().isEmpty()
        ? new InetSocketAddress(wanted)
        : new InetSocketAddress(settings.address(), wanted);
  }

  /** The port on which it listens: the configured one, or a free one if that is 0. */
  public int port() {
    return port;
  }

  private void accept(Channel channel) {
    if (connections.size() > settings.connectionsMax()) {
      log.warn("Rejected a connection from {}: too many", channel.remoteAddress());
      channel.close();
      return;
    }
    connections.add(channel);
    ServedConnection connection =
        new ServedConnection(
            handshakes, replica, settings, outbound, tls.handshakeTimeout(), onSeen);
    if (tls.mode() != TlsMode.OFF) {
      channel.pipeline().addLast(new PeerTlsDetector(tls));
    }
    channel.pipeline().addLast(connection.frames(), connection);
  }

  /** Stops listening and closes all connections. Blocks until they are closed. */
  public void close() {
    connections.close().awaitUninterruptibly();
  }
}
