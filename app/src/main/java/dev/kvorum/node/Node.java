package dev.kvorum.node;

import dev.kvorum.backup.restore.RestoreMarks;
import dev.kvorum.config.NodeSettings;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.membership.DataDirectory;
import dev.kvorum.membership.ForeignDirectoryException;
import dev.kvorum.membership.Membership;
import dev.kvorum.membership.TopologySource;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.repair.RepairReport;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.ProcessId;
import dev.kvorum.rpc.RpcServer;
import dev.kvorum.security.PeerTls;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.replace.ReplaceableStore;
import dev.kvorum.storage.replace.RocksStoreDisk;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.tracing.Tracer;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node, assembled without Spring.
 *
 * <p>A start claims the data directory, opens the store, sets the clock, listens, connects and
 * pulls hints; then the node is ready. A stop is the reverse.
 */
public final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);

  private final DataDirectory directory;
  private final Membership membership;
  private final CurrentTopology topology;
  private final Founding founding;
  private final LocalMember self;
  private final ReplaceableStore store;
  private final NodeStoreReset storeReset;
  private final RestoreMarks restores;
  private final OrderedRestore orderedRestore;
  private final EventLoops loops;
  private final ExecutorService background;
  private final NodeCore core;
  private final NodeTransports transports;
  private final RpcServer server;
  private final FastThreadLocal<Coordinator> coordinatorOfLoop = new FastThreadLocal<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Opens the data directory and assembles the components, which do nothing before {@link #start}.
   *
   * @throws NodeStartException if the settings contradict the data on disk
   */
  public Node(
      NodeSettings settings, PeerTls tls, InstantSource wallClock, Meters meters, Tracer tracer) {
    RandomGenerator random = new SecureRandom();
    ChecksumVerifier verifier = new ChecksumVerifier();
    background =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("kvorum-background").factory());
    DataDirectory locked = null;
    try {
      locked = settings.lockDirectory();
      directory = locked;
      membership = settings.membership(random);
      topology = new CurrentTopology(membership.first());
      OnCorruption wanted = settings.properties().storage().corruptionPolicy();
      store =
          ReplaceableStore.open(
              new RocksStoreDisk(
                  settings.storage(), meters.store()::committed, verifier, wallClock),
              () -> topology.get().hasSourceBeside(settings.self()) ? wanted : OnCorruption.FAIL);
      // After the store is open: a start that fails to open it must not supersede a running
      // process.
      long generation = directory.nextGeneration(wallClock);
      long incarnation = membership.identity().incarnation();
      ProcessId process = new ProcessId(incarnation, generation);
      self =
          LocalMember.of(
              settings.self(), process, settings.eventLoops(), topology, membership.features());
    } catch (IllegalArgumentException
        | ForeignDirectoryException
        | UncheckedIOException
        | StoreOpenException e) {
      if (locked != null) {
        locked.close();
      }
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
    storeReset = new NodeStoreReset(self, store, this::peers);
    restores = new RestoreMarks(store, store, store);
    orderedRestore = new OrderedRestore(membership, restores, background);
    loops = new EventLoops(settings.eventLoops());
    founding =
        new Founding(membership::isFounded, () -> background.execute(membership::noteFounded));
    NodeDependencies dependencies =
        new NodeDependencies(
            self,
            newer -> membership.keep(newer, self.id()),
            store,
            store,
            store,
            store.corruptedStores(),
            verifier,
            wallClock,
            System::nanoTime,
            background,
            founding,
            tracer,
            storeReset);
    transports =
        new NodeTransports(
            loops, membership.source()::locate, settings.peers(), tls, random, meters);
    core =
        new NodeCore(
            settings.core(),
            dependencies,
            Layout.of(topology.get()),
            meters,
            loops.all(),
            transports);
    for (LoopContext loopContext : core.loopContexts()) {
      loopContext.loop().execute(() -> coordinatorOfLoop.set(loopContext.coordinator()));
    }
    store.whenReplaced(core.repair()::onStoreLost, core::onStoreReplaced);
    if (settings.agreesOnFeatures()) {
      FeatureAgreement.begin(self, core, background);
    }
    server = transports.server(core.handshakes(), core.replica());
  }

  /**
   * Listens, connects and starts to pull hints. Blocks until the port is bound and the clock may be
   * used.
   *
   * @throws NodeStartException if the port cannot be bound, the store rejects writes, or a restore
   *     that is ordered cannot be prepared
   */
  public void start() {
    try {
      core.reserveClock().join();
    } catch (CompletionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new NodeStartException(String.valueOf(cause.getMessage()), e);
    }
    try {
      orderedRestore.begin();
      server.listen(transports.port(), loops.all().getLast(), loops.serverType());
    } catch (IOException e) {
      // Otherwise the threads that are running already would keep the process alive.
      close();
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    } catch (NodeStartException e) {
      close();
      throw e;
    }
    core.start();
    membership
        .source()
        .follow(reported -> {
          core.offer(reported);
          orderedRestore.follow(reported);
        });
    log.info(
        "{} of cluster {} has started with members {}",
        self.id(),
        topology.get().clusterId(),
        topology.get().names());
  }

  /** The other members. */
  public List<MemberId> peers() {
    return core.peers();
  }

  /** Completes once hints have been pulled and the node is ready for clients. */
  public CompletableFuture<Void> ready() {
    return core.ready();
  }

  /** Returns whether the store accepts writes, the mark included that the clock needs for them. */
  public boolean isHealthy() {
    return !store.isFailed() && !core.isClockStoreFailed();
  }

  /**
   * Sets this node's data aside and starts again with an empty store, which is rebuilt from the
   * peers. For a member whose records must not be restored. Does not block.
   *
   * @param reason reason for the log
   * @return completes once the empty store is in use
   * @throws IllegalStateException if there are no other members
   */
  public CompletableFuture<Void> resetStore(String reason) {
    return storeReset.reset(reason);
  }

  /** The coordinator of the calling event loop. */
  public Coordinator coordinator() {
    Coordinator coordinator = coordinatorOfLoop.get();
    if (coordinator == null) {
      throw new IllegalStateException("not on an event loop of this node");
    }
    return coordinator;
  }

  public EventLoops loops() {
    return loops;
  }

  /** The identity of this node. */
  public LocalMember self() {
    return self;
  }

  /** The topology that this node applies. */
  public CurrentTopology topology() {
    return topology;
  }

  public TopologySource source() {
    return membership.source();
  }

  public NodeCore core() {
    return core;
  }

  public ReplaceableStore store() {
    return store;
  }

  /** What the store remembers of restores. */
  public RestoreMarks restores() {
    return restores;
  }

  /** Whether the cluster is founded, from sources other than the store. */
  public Founding founding() {
    return founding;
  }

  /** The current state. */
  public NodeStatus status() {
    return NodeStatus.of(this);
  }

  /** State of the repair. */
  public RepairReport repair() {
    return core.repair().report();
  }

  /** Returns whether every event loop has a connection to a peer. */
  public boolean isConnected(MemberId peer) {
    return transports.areConnected(peer);
  }

  /** Closes connections and files after all acknowledged writes are on disk. Blocks. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    membership.source().close();
    server.close();
    transports.close();
    // Before another process may lock the directory, in which it creates files.
    background.close();
    store.close();
    loops.close();
    directory.close();
    log.info("{} has stopped", self.id());
  }
}
