package dev.kvorum;

import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.NettyTransport;
import dev.kvorum.replica.Outbound;
import dev.kvorum.replica.PeerLocator;
import dev.kvorum.replica.RpcSettings;
import dev.kvorum.topology.MemberId;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A node's connections to its peers: one to each from each event loop. */
final class NodeTransports {
  private final NodeCore core;
  private final EventLoops loops;
  private final RpcSettings settings;
  private final Outbound outbound;
  private final List<NettyTransport> transports = new ArrayList<>();

  NodeTransports(NodeCore core, EventLoops loops, RpcSettings settings, Outbound outbound) {
    this.core = core;
    this.loops = loops;
    this.settings = settings;
    this.outbound = outbound;
  }

  /** Makes the lane of an event loop. */
  Lane addLane(EventLoop loop, PeerLocator locator, RandomGenerator random, Meters meters) {
    // For jitter only, on the loop itself: the secure one reads from a file under a lock.
    RandomGenerator jitter = new SplittableRandom(random.nextLong());
    NettyTransport transport =
        new NettyTransport(
            core.handshakes(),
            locator,
            settings,
            outbound,
            loop,
            loops.socketType(),
            jitter,
            meters.rpc(),
            core.peerClocks());
    transports.add(transport);
    return core.addLane(loop, transport);
  }

  /** A peer has just been seen alive: every event loop connects to it at once. */
  void seen(MemberId peer) {
    for (int i = 0; i < transports.size(); i++) {
      NettyTransport transport = transports.get(i);
      core.lanes().get(i).loop().execute(() -> transport.seen(peer));
    }
  }

  /** Whether every event loop has a connection to a peer. */
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
