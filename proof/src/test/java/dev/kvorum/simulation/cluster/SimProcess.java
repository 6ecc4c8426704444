package dev.kvorum.simulation.cluster;

import dev.kvorum.coordinator.Change;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.WriteOutcome;
import dev.kvorum.data.Key;
import dev.kvorum.node.FeatureAgreement;
import dev.kvorum.node.NodeCore;
import dev.kvorum.node.NodeDependencies;
import dev.kvorum.node.TransportFactory;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.Transport;
import dev.kvorum.rpc.HandshakePolicy;
import dev.kvorum.rpc.LocalMember;
import dev.kvorum.rpc.ProcessId;
import dev.kvorum.rpc.RemoteClockMonitor;
import dev.kvorum.simulation.network.SimLoopContext;
import dev.kvorum.simulation.network.SimServer;
import dev.kvorum.simulation.network.SimTransport;
import dev.kvorum.simulation.storage.DiskSteps;
import dev.kvorum.simulation.storage.SimDisk;
import dev.kvorum.simulation.storage.SimStore;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.OnCorruption;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import dev.kvorum.tracing.Tracer;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** A running node: the real core on simulated seams. */
public final class SimProcess {
  private final MemberId id;
  private final SimDisk disk;
  public final ProcessId self;
  private final SimWorld world;
  private final List<SimLoopContext> loopContexts = new ArrayList<>();
  private final VirtualLoop device;
  private final VirtualLoop background;
  public final SimStore store;
  private final CurrentTopology topology;
  private final SimRelease release;
  private final NodeCore core;
  private boolean ready;
  private int openWrites;

  SimProcess(SimWorld world, SimNode node, RandomGenerator random) {
    this.world = world;
    id = node.id;
    device = world.time().another(world.onFailure());
    background = world.time().another(world.onFailure());
    Breakage breakage = world.breakage();
    ChecksumVerifier verifier = breakage.verifier();
    disk = node.disk;
    release = SimRelease.start(node, world.haveAllHadAll(), world.onFailure());
    self = new ProcessId(disk.incarnation, ++disk.generation);
    topology = new CurrentTopology(Objects.requireNonNull(disk.topology));
    store =
        new SimStore(
            new DiskSteps(disk, random, () -> world.onDeath().accept(id)),
            world.durability(),
            device,
            verifier,
            () -> topology.get().hasSourceBeside(id) ? OnCorruption.REBUILD : OnCorruption.FAIL);
    LocalMember member = release.member(id, self, world.loopContexts(), topology);
    NodeDependencies dependencies =
        new NodeDependencies(
            member,
            newer -> disk.topology = newer,
            breakage.store(store, node.clock),
            breakage.hints(store, topology),
            breakage.marks(store, node.clock),
            breakage.setAside(store.corruptedStores()),
            verifier,
            node.clock,
            world.time()::nanoTime,
            task -> background.schedule(task, random.nextLong(2000), TimeUnit.MICROSECONDS),
            new Founding(
                () -> disk.founded || world.founded().getAsBoolean(), () -> disk.founded = true),
            Tracer.NONE,
            this::resetStore);
    List<VirtualLoop> loops =
        Stream.generate(() -> world.time().another(world.onFailure()))
            .limit(world.loopContexts())
            .toList();
    List<SimTransport> transports = new ArrayList<>();
    core =
        new NodeCore(
            breakage.settings(world.settings()),
            dependencies,
            world.layouts().apply(topology.get()),
            world.meters(),
            loops,
            new TransportFactory<>() {
              @Override
              public Transport transport(
                  VirtualLoop loop, HandshakePolicy handshakes, RemoteClockMonitor peerClocks) {
                SimTransport transport =
                    new SimTransport(
                        transports.size(), loop, world.network(), random, peerClocks, handshakes);
                transports.add(transport);
                return breakage.transport(id, transport);
              }

              @Override
              public boolean isOn(VirtualLoop loop) {
                return loop.inEventLoop();
              }
            });
    if (world.agreesOnFeatures()) {
      FeatureAgreement.begin(member, core, dependencies.background());
    }
    store.whenReplaced(core.repair()::onStoreLost, core::onStoreReplaced);
    for (int i = 0; i < loops.size(); i++) {
      loopContexts.add(loopContext(loops.get(i), transports.get(i), i));
    }
  }

  private SimLoopContext loopContext(VirtualLoop loop, SimTransport transport, int number) {
    SimServer server =
        new SimServer(
            core.handshakes(),
            core.replica(),
            loop,
            transport::seen,
            world.breakage().ignoresEpochs(),
            reply -> world.onStaleServed().accept(id, reply));
    return new SimLoopContext(
        loop, transport, server, core.loopContexts().get(number).coordinator());
  }

  /**
   * Starts as a node does: the clock first, then the door, then the rest.
   *
   * @param onRejection run when the store rejects writes
   */
  void start(Runnable onRejection) {
    core.reserveClock()
        .whenComplete((done, failure) -> {
          if (loop().isDead()) {
            return;
          }
          if (failure != null) {
            loop().execute(onRejection);
          } else {
            world.network().listen(id, servers());
            core.start();
            core.ready().thenRun(() -> ready = true);
          }
        });
  }

  /** Goes on with an empty store. */
  private void resetStore(String reason, Executor onLoop, Runnable done) {
    world.onReset().accept(id);
    store.reset(reason).thenRunAsync(done, onLoop);
  }

  /** Meets corruption of the disk, which has the store set aside. */
  public void meetCorruption() {
    device.execute(store::meetCorruption);
  }

  /** Writes, and counts the write as long as it is open. */
  public Mono<WriteOutcome> write(Coordinator coordinator, Key key, Quorum quorum, Change change) {
    openWrites++;
    return coordinator.write(key, quorum, release.kept(change), () -> openWrites--);
  }

  /** News of the members. */
  public void offer(Topology news) {
    if (release.canRead(news)) {
      core.offer(news);
    }
  }

  /** The release that it runs. */
  public SimRelease release() {
    return release;
  }

  /** Writes of which something is still kept in memory. */
  public int openWrites() {
    return openWrites;
  }

  public boolean isReady() {
    return ready;
  }

  /** Whether its store takes writes; one that an error has stopped is opened again later. */
  public boolean isHealthy() {
    return !store.isFailed() && !core.isClockStoreFailed();
  }

  /** The first event loop. */
  public VirtualLoop loop() {
    return loopContexts.getFirst().loop();
  }

  /** One of the lanes, in turns. */
  public SimLoopContext loopContext(int turn) {
    return loopContexts.get(turn % loopContexts.size());
  }

  private List<SimServer> servers() {
    return loopContexts.stream().map(SimLoopContext::server).toList();
  }

  /** From now on requests claim another epoch: 0 for their own again. */
  public void claimEpoch(long offset) {
    loopContexts.forEach(loopContext -> loopContext.transport().claimEpoch(offset));
  }

  /** Whether new connections to peers get through. */
  public void canDial(boolean can) {
    loopContexts.forEach(loopContext -> loopContext.transport().canDial(can));
  }

  public Replicas replicas() {
    return core.loopContexts().getFirst().replicas();
  }

  public NodeCore core() {
    return core;
  }

  public SimStore store() {
    return store;
  }

  /** What it works by. */
  public Topology topology() {
    return topology.get();
  }

  /** Whether every event loop has a connection to a peer. */
  public boolean isConnected(MemberId peer) {
    return loopContexts.stream().allMatch(loopContext -> loopContext.transport().isConnected(peer));
  }

  /**
   * Another process replaces this one, which continues at another address.
   *
   * @param canDial whether it can make connections there
   */
  public void moveTo(MemberId address, boolean canDial) {
    loopContexts.forEach(loopContext -> loopContext.moveTo(address));
    canDial(canDial);
    world.network().close(id);
    world.network().listen(address, servers());
  }

  /** A peer's process has ended and its machine closes what it had open. */
  void onEnd(SimProcess peer) {
    for (int i = 0; i < loopContexts.size(); i++) {
      loopContexts.get(i).onEnd(peer.id, peer.loopContexts.get(i));
    }
  }

  /** Whether no later process has a copy of its disk. */
  public boolean hasOwnDirectory() {
    return disk.keepsMarks;
  }

  public MemberId address() {
    return loopContexts.getFirst().server().address();
  }

  void kill() {
    loopContexts.forEach(loopContext -> loopContext.loop().kill());
    device.kill();
    background.kill();
  }

  void stop() {
    loopContexts.forEach(loopContext -> loopContext.loop().stop());
    device.stop();
    background.stop();
  }

  void resume() {
    device.resume();
    background.resume();
    loopContexts.forEach(loopContext -> loopContext.loop().resume());
  }
}
