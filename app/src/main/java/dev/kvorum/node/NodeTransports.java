package dev.kvorum.node;

import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.NettyTransport;
import dev.kvorum.rpc.OutboundBudget;
import dev.kvorum.rpc.PeerContext;
import dev.kvorum.rpc.PeerLocator;
import dev.kvorum.rpc.PeerSettings;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.RpcServer;
import dev.kvorum.security.PeerTls;
import dev.kvorum.topology.MemberId;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A node's connections to its peers: one per peer and event loop. */
final class NodeTransports implements TransportFactory<EventLoop> {
  private final EventLoops loops;
  private final PeerLocator locator;
  private final PeerSettings settings;
  private final PeerTls tls;
  private final OutboundBudget outbound;
  private final RandomGenerator random;
  private final Meters meters;
  private final List<NettyTransport> transports = new ArrayList<>();

  NodeTransports(
      EventLoops loops,
      PeerLocator locator,
      PeerSettings settings,
      PeerTls tls,
      RandomGenerator random,
      Meters meters) {
    this.loops = loops;
    this.locator = locator;
    this.settings = settings;
    this.tls = tls;
    this.outbound = new OutboundBudget(settings.rpc().outboundBytesMax());
    this.random = random;
    this.meters = meters;
  }

  @Override
  public Transport transport(
      EventLoop loop, HandshakePolicy handshakes, RemoteClockMonitor peerClocks) {
    // For jitter only, on the loop itself: the secure generator reads from a file under a lock.
    RandomGenerator jitter = new SplittableRandom(random.nextLong());
    NettyTransport transport =
        new NettyTransport(
            new PeerContext(
                handshakes, locator, settings, outbound, jitter, meters.rpc(), peerClocks),
            tls,
            loop,
            loops.socketType());
    transports.add(transport);
    return transport;
  }

  @Override
  public boolean isOn(EventLoop loop) {
    return loop.inEventLoop();
  }

  /** The port on which peers reach this node. */
  int port() {
    return settings.rpc().port();
  }

  /** Serves the connections that peers make; not before it listens. */
  RpcServer server(HandshakePolicy handshakes, LocalReplica replica) {
    return new RpcServer(handshakes, replica, settings.rpc(), outbound, tls, this::seen);
  }

  /** Connects every event loop at once to a peer that has just connected to this node. */
  private void seen(MemberId peer) {
    for (int i = 0; i < transports.size(); i++) {
      NettyTransport transport = transports.get(i);
      loops.all().get(i).execute(() -> transport.seen(peer));
    }
  }

  /** Returns whether every event loop has a connection to a peer. */
  boolean areConnected(MemberId peer) {
    return transports.stream().allMatch(transport -> transport.isConnected(peer));
  }

  /** Closes all connections. Blocks. */
  void close() {
    for (int i = 0; i < transports.size(); i++) {
      loops.all().get(i).submit(transports.get(i)::close).awaitUninterruptibly();
    }
  }
}
