package dev.kvorum;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.membership.ForeignDirectoryException;
import dev.kvorum.membership.Identity;
import dev.kvorum.membership.StaticAddresses;
import dev.kvorum.membership.StaticTopology;
import dev.kvorum.metrics.Meters;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.replica.LocalMember;
import dev.kvorum.replica.NettyTransport;
import dev.kvorum.replica.PeerLocator;
import dev.kvorum.replica.ReplicaServer;
import dev.kvorum.storage.CommitProbe;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.RocksStore;
import dev.kvorum.storage.StoreOpenException;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node, assembled without Spring.
 *
 * <p>Start: claim the data directory, open the store, set the clock, listen, connect, pull hints,
 * ready. Stop is the reverse.
 */
public final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);

  private final NodeSettings settings;
  private final CurrentTopology topology;
  private final LocalMember self;
  private final RocksStore store;
  private final EventLoops loops;
  private final ExecutorService background;
  private final NodeCore core;
  private final List<NettyTransport> transports = new ArrayList<>();
  private final ReplicaServer server;
  private final FastThreadLocal<Coordinator> coordinatorOfLoop = new FastThreadLocal<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Opens the data directory and puts the parts together; nothing moves before {@link #start}.
   *
   * @throws NodeStartException when the settings and what is on disk do not go together
   */
  public Node(KvorumProperties properties, InstantSource wallClock, Meters meters) {
    settings = NodeSettings.of(properties);
    RandomGenerator random = new SecureRandom();
    StaticTopology members;
    try {
      members = settings.staticTopology();
      topology = new CurrentTopology(members.topology());
      Identity identity =
          Identity.claim(properties.dataDir(), topology.get(), settings.self(), random);
      self = new LocalMember(settings.self(), identity.incarnation(), topology);
      store = RocksStore.open(settings.storage(), CommitProbe.NONE);
    } catch (IllegalArgumentException
        | ForeignDirectoryException
        | UncheckedIOException
        | StoreOpenException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
    loops = new EventLoops(settings.eventLoops());
    background =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kvorum-background").factory());
    Seams seams =
        new Seams(
            self.id(),
            topology,
            store,
            store.hints(),
            store.marks(),
            wallClock,
            System::nanoTime,
            background,
            this::askToStartOver);
    core = new NodeCore(settings.core(), seams, meters);
    StaticAddresses addresses = new StaticAddresses(members.addresses(), background);
    for (EventLoop loop : loops.all()) {
      addLane(loop, addresses::locate, random);
    }
    server = new ReplicaServer(self, core.replica(), settings.rpc(), this::onSeen);
  }

  private void askToStartOver(String reason, Executor loop, Runnable done) {
    log.error(
        "{} has no say in reads any more: {}. Stop it, put {} aside and start it again",
        self.id(),
        reason,
        settings.properties().dataDir());
  }

  private void addLane(EventLoop loop, PeerLocator locator, RandomGenerator random) {
    // For jitter only, on the loop itself: the secure one reads from a file under a lock.
    RandomGenerator jitter = new SplittableRandom(random.nextLong());
    NettyTransport transport =
        new NettyTransport(self, locator, settings.rpc(), loop, loops.socketType(), jitter);
    transports.add(transport);
    Lane lane = core.addLane(loop, transport);
    loop.execute(() -> coordinatorOfLoop.set(lane.coordinator()));
  }

  /**
   * Listens, connects and begins to pull hints. Blocks until the port is bound and the clock may be
   * used.
   *
   * @throws NodeStartException when the port cannot be bound or the store takes no writes
   */
  public void start() {
    try {
      core.reserveClock().join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new NodeStartException(String.valueOf(cause.getMessage()), e);
    }
    try {
      server.listen(loops.all().getLast(), loops.serverType());
    } catch (IOException e) {
      // Else the threads that run already would keep the process alive.
      close();
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
    core.start();
    log.info(
        "{} of cluster {} works with {}",
        self.id(),
        topology.get().clusterId(),
        topology.get().names());
  }

  private void onSeen(MemberId peer) {
    for (int i = 0; i < transports.size(); i++) {
      NettyTransport transport = transports.get(i);
      core.lanes().get(i).loop().execute(() -> transport.seen(peer));
    }
  }

  /** The other members. */
  public List<MemberId> peers() {
    return core.peers();
  }

  /** Done once hints have been pulled and clients may come. */
  public CompletableFuture<Void> ready() {
    return core.ready();
  }

  /** Whether the store takes writes. */
  public boolean isHealthy() {
    return !store.isFailed();
  }

  /** The coordinator of the event loop that calls. */
  public Coordinator coordinator() {
    Coordinator coordinator = coordinatorOfLoop.get();
    if (coordinator == null) {
      throw new IllegalStateException("not on an event loop of this node");
    }
    return coordinator;
  }

  EventLoops loops() {
    return loops;
  }

  /** Who this node is. */
  public LocalMember self() {
    return self;
  }

  /** The topology that this node works by. */
  public CurrentTopology topology() {
    return topology;
  }

  /** Hints that this node keeps for others. */
  public HintStore hints() {
    return store.hints();
  }

  /** What repair has done, and what is under way. */
  public RepairReport repair() {
    return core.repair().report();
  }

  /** Whether there is a connection to a peer. */
  public boolean isConnected(MemberId peer) {
    return transports.stream().allMatch(transport -> transport.isConnected(peer));
  }

  /** Lets go of peers and files, everything acknowledged being on disk. Blocks. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    server.close();
    for (int i = 0; i < transports.size(); i++) {
      loops.all().get(i).submit(transports.get(i)::close).awaitUninterruptibly();
    }
    background.shutdown();
    store.close();
    loops.close();
    log.info("{} has stopped", self.id());
  }
}
