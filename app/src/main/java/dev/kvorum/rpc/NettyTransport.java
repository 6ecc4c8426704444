package dev.kvorum.rpc;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.security.PeerTls;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The transport over TCP. Each event loop has one connection to each peer, so that a request, its
 * quorum state and its replies share a thread.
 */
public final class NettyTransport implements Transport {
  private final LocalMember self;
  private final PeerSettings settings;
  private final Function<MemberId, Peer> maker;
  // Modified on the loop only; read by all threads.
  private final Map<MemberId, Peer> peers = new ConcurrentHashMap<>();
  private long followedEpoch = -1;

  /**
   * Creates the transport and registers the peers. It connects only after the first {@link #tick}.
   */
  public NettyTransport(
      PeerContext context, PeerTls tls, EventLoop loop, Class<? extends Channel> channelType) {
    this.self = context.handshakes().self();
    this.settings = context.settings();
    int highWaterMark = (int) Math.min(context.outbound().connectionMax(), Integer.MAX_VALUE);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(channelType)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) settings.rpc().connectTimeout().toMillis())
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(highWaterMark / 2, highWaterMark));
    Dialer dialer = new Dialer(bootstrap, loop, tls, self.topology().get().clusterId());
    this.maker = id -> new Peer(context, id, dialer, loop);
    follow(self.topology().get());
  }

  /** Keeps connections to the current members only. */
  private void follow(Topology topology) {
    if (topology.epoch() == followedEpoch) {
      return;
    }
    followedEpoch = topology.epoch();
    Set<MemberId> others =
        topology.members().stream()
            .map(Member::id)
            .filter(id -> !id.equals(self.id()))
            .collect(Collectors.toSet());
    others.forEach(id -> peers.computeIfAbsent(id, maker));
    peers
        .entrySet()
        .removeIf(peer -> {
          boolean gone = !others.contains(peer.getKey());
          if (gone) {
            peer.getValue().remove();
          }
          return gone;
        });
  }

  @Override
  public Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter) {
    Peer peer = peers.get(to);
    if (peer == null) {
      waiter.reply(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
      return Call.DONE;
    }
    return peer.ask(request, epoch, timeoutMillis, waiter);
  }

  @Override
  public boolean isSuspect(MemberId member) {
    Peer peer = peers.get(member);
    return peer == null || peer.isSuspect();
  }

  @Override
  public long slowReadNanos(MemberId member) {
    Peer peer = peers.get(member);
    return peer == null ? settings.hedgeMin().toNanos() : peer.slowReadNanos();
  }

  @Override
  public long timedReads(MemberId member) {
    Peer peer = peers.get(member);
    return peer == null ? 0 : peer.timedReads();
  }

  @Override
  public boolean isConnected(MemberId member) {
    Peer peer = peers.get(member);
    return peer != null && peer.isConnected();
  }

  @Override
  public boolean isKnown(MemberId member) {
    Peer peer = peers.get(member);
    return peer != null && peer.isKnown();
  }

  /** Connects at once to a member that has just connected to this node. */
  public void seen(MemberId member) {
    Peer peer = peers.get(member);
    if (peer != null) {
      peer.seen();
    }
  }

  @Override
  public void tick() {
    follow(self.topology().get());
    peers.values().forEach(Peer::tick);
  }

  /** Closes all connections. */
  public void close() {
    peers.values().forEach(Peer::close);
  }
}
