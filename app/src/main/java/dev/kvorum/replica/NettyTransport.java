package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The transport over TCP: one connection to each peer from each event loop, so that a request, its
 * quorum state and its replies share a thread.
 */
public final class NettyTransport implements Transport {
  private final Map<MemberId, Peer> peers = new HashMap<>();

  /** Makes the peers known; connects to nobody before the first {@link #tick}. */
  public NettyTransport(
      LocalMember self,
      PeerLocator locator,
      RpcSettings settings,
      EventLoop loop,
      Class<? extends Channel> channelType,
      RandomGenerator random) {
    int highWaterMark = (int) Math.min(settings.outboundBytesMax(), Integer.MAX_VALUE);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(channelType)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connectTimeout().toMillis())
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWaterMark / 2, highWaterMark));
    for (Member member : self.topology().get().members()) {
      if (!member.id().equals(self.id())) {
        peers.put(
            member.id(), new Peer(self, member.id(), locator, settings, bootstrap, loop, random));
      }
    }
  }

  @Override
  public Call ask(
      MemberId to, ReplicaRequest request, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    return peer(to).ask(request, timeoutMillis, waiter);
  }

  @Override
  public boolean isSuspect(MemberId member) {
    return peer(member).isSuspect();
  }

  @Override
  public long slowReadNanos(MemberId member) {
    return peer(member).slowReadNanos();
  }

  @Override
  public long timedReads(MemberId member) {
    return peer(member).timedReads();
  }

  @Override
  public boolean isConnected(MemberId member) {
    return peer(member).isConnected();
  }

  @Override
  public boolean isEveryPeerKnown() {
    return peers.values().stream().allMatch(Peer::isKnown);
  }

  /** Connects at once to a member that has just been seen alive. */
  public void seen(MemberId member) {
    Peer peer = peers.get(member);
    if (peer != null) {
      peer.seen();
    }
  }

  @Override
  public void tick() {
    peers.values().forEach(Peer::tick);
  }

  /** Closes all connections. */
  public void close() {
    peers.values().forEach(Peer::close);
  }

  private Peer peer(MemberId member) {
    Peer peer = peers.get(member);
    if (peer == null) {
      throw new IllegalArgumentException(member + " is no peer");
    }
    return peer;
  }
}
