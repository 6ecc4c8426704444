package dev.kvorum.benchmark;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.metrics.Meters;
import dev.kvorum.metrics.RpcMeters;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.Fence;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.NettyTransport;
import dev.kvorum.rpc.OutboundBudget;
import dev.kvorum.rpc.PeerContext;
import dev.kvorum.rpc.PeerSettings;
import dev.kvorum.rpc.ProcessId;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.rpc.RpcServer;
import dev.kvorum.rpc.RpcSettings;
import dev.kvorum.rpc.Wire;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The hop as two nodes make it: one connection, many requests on it. */
final class FrameHop implements HopBenchmark.Hop {
  private static final MemberId CLIENT = new MemberId("client");
  private static final MemberId SERVER = new MemberId("server");
  private static final long TIMEOUT_MILLIS = 60_000;
  private static final long TICK_MILLIS = 10;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private final EventLoop loop = loops.next();
  private final RpcServer server;
  private final NettyTransport transport;
  private final Key[] keys;

  FrameHop(Store store, Key[] keys, int underWay) {
    this.keys = keys;
    RpcSettings settings = settings(underWay);
    HybridLogicalClock clock =
        new HybridLogicalClock(InstantSource.system(), Duration.ofMillis(500), 1, 0);
    LocalMember self = member(SERVER);
    LocalReplica replica = new LocalReplica(store, clock, self.topology());
    server =
        new RpcServer(
            handshakes(self),
            replica,
            settings,
            new OutboundBudget(Long.MAX_VALUE),
            Wire.PLAIN,
            seen -> {});
    try {
      server.listen(0, loops.next(), EpollServerSocketChannel.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
    transport =
        new NettyTransport(
            new PeerContext(
                handshakes(member(CLIENT)),
                to -> CompletableFuture.completedFuture(address),
                new PeerSettings(settings, Duration.ofMillis(1), Duration.ofMillis(100)),
                new OutboundBudget(Long.MAX_VALUE),
                new SplittableRandom(1),
                new Meters(new SimpleMeterRegistry()).rpc(),
                new RemoteClockMonitor(clock, Duration.ofSeconds(1), System::nanoTime, List::of)),
            Wire.PLAIN,
            loop,
            EpollSocketChannel.class);
    loop.scheduleWithFixedDelay(transport::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    while (!transport.isConnected(SERVER)) {
      Thread.onSpinWait();
    }
  }

  private static HandshakePolicy handshakes(LocalMember self) {
    RpcMeters meters = new Meters(new SimpleMeterRegistry()).rpc();
    return new HandshakePolicy(self, new ProcessRegistry(meters), new Fence(), newer -> {});
  }

  private static LocalMember member(MemberId id) {
    List<Member> members =
        List.of(
            new Member(CLIENT, "", MemberState.ACTIVE), new Member(SERVER, "", MemberState.ACTIVE));
    return LocalMember.of(
        id, new ProcessId(1, 1), 1, new CurrentTopology(Topology.stable("hop", 1, members)));
  }

  private static RpcSettings settings(int underWay) {
    return TestSettings.of(
        RpcSettings.class,
        "suspect-after=10s",
        "drop-after=60s",
        "connections-max=8",
        "in-flight-max=" + underWay);
  }

  @Override
  public void execute(Runnable work) {
    loop.execute(work);
  }

  @Override
  public void read(int key, HopBenchmark.Answer answer) {
    transport.ask(
        SERVER,
        new ReplicaRequest.Read(keys[key], Detail.RECORD),
        1,
        TIMEOUT_MILLIS,
        reply ->
            answer.of(
                reply instanceof ReplicaReply.ReadReply looked
                        && looked.lookup() instanceof ReadResult.Found found
                    ? found.record().value().length
                    : -1));
  }

  @Override
  public void close() {
    loop.submit(transport::close).syncUninterruptibly();
    server.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
