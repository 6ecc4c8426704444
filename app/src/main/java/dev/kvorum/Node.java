package dev.kvorum;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.CoordinatorSettings;
import dev.kvorum.data.HybridLogicalClock;
import dev.kvorum.membership.ForeignDirectoryException;
import dev.kvorum.membership.Identity;
import dev.kvorum.membership.StaticAddresses;
import dev.kvorum.membership.StaticTopology;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.repair.HintPull;
import dev.kvorum.repair.HintedHandoff;
import dev.kvorum.replica.LocalMember;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.NettyTransport;
import dev.kvorum.replica.PeerLocator;
import dev.kvorum.replica.ReplicaServer;
import dev.kvorum.replica.Replicas;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.CommitProbe;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.RocksStore;
import dev.kvorum.storage.StoreOpenException;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
  private static final long POLL_MILLIS = 20;

  private final NodeSettings settings;
  private final CurrentTopology topology;
  private final LocalMember self;
  private final RocksStore store;
  private final HybridLogicalClock clock;
  private final EventLoops loops;
  private final ExecutorService background;
  private final ReplicaServer server;
  private final HintedHandoff handoff;
  private final List<Lane> lanes = new ArrayList<>();
  private final FastThreadLocal<Coordinator> coordinatorOfLoop = new FastThreadLocal<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();

  /**
   * Opens the data directory and puts the parts together; nothing moves before {@link #start}.
   *
   * @throws NodeStartException when the settings and what is on disk do not go together
   */
  Node(NodeSettings settings, InstantSource wallClock, Meters meters) {
    this.settings = settings;
    RandomGenerator random = new SecureRandom();
    StaticTopology members;
    try {
      members = settings.staticTopology();
      topology = new CurrentTopology(members.topology());
      Identity identity =
          Identity.claim(settings.dataDir(), topology.get(), settings.self(), random);
      self = new LocalMember(settings.self(), identity.incarnation(), topology);
      store = RocksStore.open(settings.storage(), CommitProbe.NONE);
    } catch (IllegalArgumentException
        | ForeignDirectoryException
        | UncheckedIOException
        | StoreOpenException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
    clock =
        new HybridLogicalClock(
            wallClock,
            settings.clockOffsetMax(),
            settings.self().writer(),
            store.highWaterMillis());
    loops = new EventLoops(settings.eventLoops());
    background =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kvorum-background").factory());
    LocalReplica local = new LocalReplica(store, clock);
    StaticAddresses addresses = new StaticAddresses(members.addresses(), background);
    SlotMap slots = SlotMap.of(topology.get().members());
    for (EventLoop loop : loops.all()) {
      lanes.add(lane(loop, local, addresses::locate, slots, meters, random));
    }
    server = new ReplicaServer(self, local, settings.rpc(), this::onSeen);
    handoff =
        new HintedHandoff(
            settings.handoff(),
            store.hints(),
            lanes.getFirst().replicas(),
            lanes.getFirst().loop(),
            background,
            wallClock,
            System::nanoTime,
            meters);
    local.serveHints(handoff);
  }

  private Lane lane(
      EventLoop loop,
      LocalReplica local,
      PeerLocator locator,
      SlotMap slots,
      Meters meters,
      RandomGenerator random) {
    // For jitter only, on the loop itself: the secure one reads from a file under a lock.
    RandomGenerator jitter = new SplittableRandom(random.nextLong());
    NettyTransport transport =
        new NettyTransport(self, locator, settings.rpc(), loop, loops.socketType(), jitter);
    Replicas replicas =
        new Replicas(self.id(), local, transport, store.hints(), loop, System::nanoTime);
    CoordinatorSettings bounds = settings.coordinator();
    Coordinator coordinator =
        new Coordinator(bounds, () -> slots, replicas, clock, loop, System::nanoTime, meters);
    loop.execute(() -> coordinatorOfLoop.set(coordinator));
    return new Lane(loop, transport, replicas, coordinator);
  }

  /**
   * Listens, connects and begins to pull hints. Blocks until the port is bound and the clock may be
   * used.
   *
   * @throws NodeStartException when the port cannot be bound or the store takes no writes
   */
  public void start() {
    try {
      keepClockReserved().join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new NodeStartException(String.valueOf(cause.getMessage()), e);
    }
    long interval = settings.clockReserve().toMillis() / 3;
    EventLoop first = lanes.getFirst().loop();
    first.scheduleWithFixedDelay(
        this::keepClockReserved, interval, interval, TimeUnit.MILLISECONDS);
    try {
      server.listen(loops.all().getLast(), loops.serverType());
    } catch (IOException e) {
      // Else the threads that run already would keep the process alive.
      close();
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
    lanes.forEach(Lane::start);
    handoff.start();
    long deadline = System.nanoTime() + settings.startupPeers().toNanos();
    first.execute(() -> pullHintsOncePeersAreKnown(deadline));
    log.info(
        "{} of cluster {} works with {}",
        self.id(),
        topology.get().clusterId(),
        topology.get().names());
  }

  private CompletableFuture<Void> keepClockReserved() {
    CompletableFuture<Void> kept = new CompletableFuture<>();
    long mark = clock.nextHighWaterMillis(settings.clockReserve());
    store.keepHighWater(
        mark,
        Runnable::run,
        applied -> {
          if (applied instanceof Applied.Stored) {
            clock.reservedUpTo(mark);
            kept.complete(null);
          } else {
            log.warn("The clock's mark could not be stored: {}", applied);
            kept.completeExceptionally(
                new IllegalStateException("the store takes no writes: " + applied));
          }
        });
    return kept;
  }

  private void pullHintsOncePeersAreKnown(long deadlineNanos) {
    Lane lane = lanes.getFirst();
    if (!lane.transport().isEveryPeerKnown() && System.nanoTime() - deadlineNanos < 0) {
      lane.loop()
          .schedule(
              () -> pullHintsOncePeersAreKnown(deadlineNanos), POLL_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    List<MemberId> reachable =
        peers().stream().filter(peer -> lane.transport().isConnected(peer)).toList();
    new HintPull(
            lane.replicas(),
            // A peer reads its page, perhaps behind one that it pushes, and each hint has its time.
            2 * settings.handoff().timeout().toNanos(),
            System.nanoTime() + settings.hintPullMax().toNanos(),
            System::nanoTime,
            () -> ready.complete(null))
        .start(reachable);
  }

  private void onSeen(MemberId peer) {
    lanes.forEach(lane -> lane.loop().execute(() -> lane.transport().seen(peer)));
  }

  /** The other members. */
  public List<MemberId> peers() {
    return topology.get().members().stream()
        .map(Member::id)
        .filter(id -> !id.equals(self.id()))
        .toList();
  }

  /** Done once hints have been pulled and clients may come. */
  public CompletableFuture<Void> ready() {
    return ready;
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

  /** Whether there is a connection to a peer. */
  public boolean isConnected(MemberId peer) {
    return lanes.stream().allMatch(lane -> lane.transport().isConnected(peer));
  }

  /** Lets go of peers and files, everything acknowledged being on disk. Blocks. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    server.close();
    lanes.forEach(lane -> lane.loop().submit(lane.transport()::close).awaitUninterruptibly());
    background.shutdown();
    store.close();
    loops.close();
    log.info("{} has stopped", self.id());
  }
}
