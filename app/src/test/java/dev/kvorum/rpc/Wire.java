package dev.kvorum.rpc;

import static org.awaitility.Awaitility.await;

import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.data.Key;
import dev.kvorum.metrics.Meters;
import dev.kvorum.metrics.RpcMeters;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.security.PeerTls;
import dev.kvorum.security.TlsSettings;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.Tracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Members {@code a} and {@code b} on localhost: {@code a} asks, {@code b} answers. */
public final class Wire {
  static final MemberId A = new MemberId("a");
  static final MemberId B = new MemberId("b");
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** By how much the clock of {@code a} is ahead of that of {@code b}. */
  static final Duration AHEAD = Duration.ofMinutes(1);

  /** No TLS. */
  public static final PeerTls PLAIN =
      PeerTls.start(TestSettings.of(TlsSettings.class), "kvorum", "a");

  private static final Duration MAX_OFFSET = Duration.ofMillis(500);

  final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  final EventLoop loop = group.next();

  /** The clock of {@code a}, and its monitor. */
  final HybridLogicalClock clock =
      new HybridLogicalClock(InstantSource.offset(InstantSource.system(), AHEAD), MAX_OFFSET, 2, 0);

  final RemoteClockMonitor clocks =
      new RemoteClockMonitor(clock, MAX_OFFSET, System::nanoTime, List::of);

  /** How {@code a} dials, and how {@code b} accepts. */
  PeerTls tlsOfA = PLAIN;

  PeerTls tlsOfB = PLAIN;

  /** How many connections {@code b} has admitted. */
  final AtomicInteger seen = new AtomicInteger();

  private final List<Runnable> open = new ArrayList<>();
  private volatile int port;

  static Topology topology(String cluster, long epoch, String... names) {
    return Topology.stable(
        cluster,
        epoch,
        Arrays.stream(names)
            .map(name -> new Member(new MemberId(name), "", MemberState.ACTIVE))
            .toList());
  }

  public static LocalMember member(MemberId id, Topology topology) {
    return member(id, new ProcessId(1, 1), topology);
  }

  public static LocalMember member(MemberId id, ProcessId process, Topology topology) {
    return LocalMember.of(id, process, 1, new CurrentTopology(topology));
  }

  /** A member that runs another release. */
  static LocalMember member(MemberId id, Release release) {
    LocalMember member = member(id);
    return new LocalMember(id, member.process(), release, 1, member.topology(), member.features());
  }

  /** The handshake policy of a node that has had no connection yet. */
  static HandshakePolicy handshakes(LocalMember self) {
    RpcMeters meters = new Meters(new SimpleMeterRegistry()).rpc();
    return new HandshakePolicy(self, new ProcessRegistry(meters), new Fence(), newer -> {});
  }

  public static LocalMember member(MemberId id) {
    return member(id, topology("kvorum", 1, "a", "b"));
  }

  /** Short times, small bounds. */
  static RpcSettings settings() {
    return settings(10_000, 1 << 20);
  }

  static RpcSettings settings(int inFlightMax, long outboundBytesMax) {
    return TestSettings.of(
        RpcSettings.class,
        "connect-timeout=300ms",
        "reconnect-min=10ms",
        "reconnect-max=50ms",
        "heartbeat=20ms",
        "suspect-after=200ms",
        "drop-after=2s",
        "connections-max=8",
        "in-flight-max=" + inFlightMax,
        "outbound-max=" + outboundBytesMax);
  }

  static OutboundBudget outbound(RpcSettings settings) {
    return new OutboundBudget(settings.outboundBytesMax());
  }

  static ReplicaRequest read(String key) {
    return new ReplicaRequest.Read(Key.of(key), Detail.RECORD);
  }

  RpcServer serve(Store store) {
    return serve(member(B), store, settings());
  }

  RpcServer serve(LocalMember self, Store store, RpcSettings settings) {
    return serve(handshakes(self), store, settings);
  }

  RpcServer serve(HandshakePolicy handshakes, Store store, RpcSettings settings) {
    return serve(0, handshakes, store, settings);
  }

  /** A server on a port; 0: any free one. */
  RpcServer serve(int wanted, HandshakePolicy handshakes, Store store, RpcSettings settings) {
    HybridLogicalClock clock = new HybridLogicalClock(InstantSource.system(), MAX_OFFSET, 1, 0);
    RpcServer server =
        new RpcServer(
            handshakes,
            new LocalReplica(
                store,
                clock,
                handshakes.self().topology(),
                handshakes.fence()::isRaised,
                new ChecksumVerifier(),
                Tracer.NONE),
            settings,
            outbound(settings),
            tlsOfB,
            member -> seen.incrementAndGet());
    try {
      server.listen(wanted, group, NioServerSocketChannel.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.add(server::close);
    port = server.port();
    return server;
  }

  /** Where the last server listens. */
  int port() {
    return port;
  }

  /** From now on {@code b} is looked for here. */
  void pointTo(int portOfB) {
    port = portOfB;
  }

  /** The transport of {@code a}, which begins to connect. */
  NettyTransport dial() {
    return dial(member(A), settings());
  }

  NettyTransport dial(LocalMember self, RpcSettings settings) {
    return dial(handshakes(self), settings, loop);
  }

  /** A transport on one of several loops of a node. */
  NettyTransport dial(HandshakePolicy handshakes, RpcSettings settings, EventLoop loop) {
    PeerLocator locator =
        to ->
            CompletableFuture.completedFuture(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    NettyTransport transport =
        new NettyTransport(
            new PeerContext(
                handshakes,
                locator,
                new PeerSettings(settings, Duration.ofMillis(1), Duration.ofMillis(100)),
                outbound(settings),
                new Random(1),
                new Meters(new SimpleMeterRegistry()).rpc(),
                clocks),
            tlsOfA,
            loop,
            NioSocketChannel.class);
    loop.scheduleWithFixedDelay(transport::tick, 0, 5, TimeUnit.MILLISECONDS);
    open.add(() -> loop.submit(transport::close).syncUninterruptibly());
    return transport;
  }

  /** The transport of {@code a} once it is connected. */
  NettyTransport connect() {
    NettyTransport transport = dial();
    awaitConnected(transport);
    return transport;
  }

  void awaitConnected(NettyTransport transport) {
    await().atMost(TIMEOUT).until(() -> onLoop(() -> transport.isConnected(B)));
  }

  <T> T onLoop(Callable<T> work) throws Exception {
    return loop.submit(work).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks {@code b}, with a deadline far away. */
  CompletableFuture<ReplicaReply> ask(NettyTransport transport, ReplicaRequest request) {
    return ask(transport, request, 60_000);
  }

  CompletableFuture<ReplicaReply> ask(
      NettyTransport transport, ReplicaRequest request, long timeoutMillis) {
    CompletableFuture<ReplicaReply> reply = new CompletableFuture<>();
    loop.execute(() -> transport.ask(B, request, 1, timeoutMillis, reply::complete));
    return reply;
  }

  void close() {
    open.reversed().forEach(Runnable::run);
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
