package dev.kvorum.simulation;

import dev.kvorum.CoreSettings;
import dev.kvorum.NodeCore;
import dev.kvorum.Seams;
import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.data.Key;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.replica.LocalMember;
import dev.kvorum.replica.ProcessId;
import dev.kvorum.replica.Replicas;
import dev.kvorum.replica.VirtualLoop;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Durability;
import dev.kvorum.storage.HintStore;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** A running node: the real core on simulated seams. */
final class SimProcess {
  private static final long HINT_BYTES_MAX = 64 << 10;

  /** What all processes of a cluster share. */
  record World(
      VirtualLoop time,
      int lanes,
      SimNetwork network,
      CoreSettings settings,
      Durability durability,
      Function<Topology, Layout> layouts,
      Meters meters,
      Breakage breakage,
      BooleanSupplier founded,
      Predicate<MemberId> machineIsUp,
      Consumer<MemberId> onStartOver,
      BiConsumer<MemberId, String> onStaleServed,
      Consumer<RuntimeException> onFailure) {}

  private final MemberId id;
  private final SimDisk disk;
  final ProcessId self;
  private final World world;
  private final List<SimLane> lanes = new ArrayList<>();
  private final NodeLoop device;
  private final NodeLoop background;
  final SimStore store;
  private final SimHints hints;
  private final NodeCore core;
  private boolean ready;
  private int openWrites;

  SimProcess(World world, SimNode node, RandomGenerator random) {
    this.world = world;
    id = node.id;
    device = new NodeLoop(world.time(), world.onFailure());
    background = new NodeLoop(world.time(), world.onFailure());
    Breakage breakage = world.breakage();
    ChecksumVerifier verifier = breakage.verifier();
    disk = node.disk;
    self = new ProcessId(disk.incarnation, ++disk.generation);
    store = new SimStore(disk, world.durability(), device, random, verifier);
    hints = new SimHints(disk, store, HINT_BYTES_MAX);
    CurrentTopology topology = new CurrentTopology(Objects.requireNonNull(disk.topology));
    Seams seams =
        new Seams(
            new LocalMember(id, self, world.lanes(), topology),
            newer -> disk.topology = newer,
            breakage.store(store, node.clock),
            breakage.hints(hints, topology),
            breakage.marks(store, node.clock),
            breakage.setAside(new SimSetAside(disk, device, random)),
            verifier,
            node.clock,
            world.time()::nanoTime,
            task -> background.schedule(task, random.nextLong(2000), TimeUnit.MICROSECONDS),
            new Founding(
                () -> disk.founded || world.founded().getAsBoolean(), () -> disk.founded = true),
            (reason, onLoop, done) -> startOver(disk, onLoop, done));
    core =
        new NodeCore(
            breakage.settings(world.settings()),
            seams,
            world.layouts().apply(topology.get()),
            world.meters());
    for (int i = 0; i < world.lanes(); i++) {
      lanes.add(lane(i, topology, random));
    }
    breakage.core(core);
  }

  private SimLane lane(int number, CurrentTopology topology, RandomGenerator random) {
    Breakage breakage = world.breakage();
    NodeLoop loop = new NodeLoop(world.time(), world.onFailure());
    SimTransport transport =
        new SimTransport(
            id, number, topology, loop, world, random, core.peerClocks(), core.handshakes());
    Coordinator coordinator = core.addLane(loop, breakage.transport(id, transport)).coordinator();
    SimServer server =
        new SimServer(
            core.handshakes(),
            id,
            core.replica(),
            topology,
            loop,
            world.time(),
            transport::seen,
            breakage.ignoresEpochs(),
            reply -> world.onStaleServed().accept(id, reply));
    return new SimLane(loop, transport, server, coordinator);
  }

  /**
   * Starts as a node does: the clock first, then the door, then the rest.
   *
   * @param onRefusal run when the store takes no writes
   */
  void start(Runnable onRefusal) {
    core.reserveClock()
        .whenComplete((done, failure) -> {
          if (loop().isDead()) {
            return;
          }
          if (failure != null) {
            loop().execute(onRefusal);
          } else {
            world.network().listen(id, servers());
            core.start();
            core.ready().thenRun(() -> ready = true);
          }
        });
  }

  /** Goes on with an empty store. */
  private void startOver(SimDisk disk, Executor onLoop, Runnable done) {
    Runnable swap =
        () -> {
          world.onStartOver().accept(id);
          disk.startOver();
          disk.write(List.of(new Effect.Mark("set-aside", 1)), true);
          store.startOver();
          hints.startOver();
          onLoop.execute(done);
        };
    device.schedule(swap, 20, TimeUnit.MILLISECONDS);
  }

  /** Corruption is detected: the store is set aside, and this process goes on with an empty one. */
  void corrupt(SimDisk disk, Set<Key> corrupted, boolean isLogComplete) {
    device.execute(() -> {
      core.onStoreLost();
      disk.setAside(corrupted, isLogComplete);
      store.startOver();
      hints.startOver();
      core.onStoreReplaced();
    });
  }

  /** A write begins; what to run when nothing of it is kept any more. */
  Runnable writing() {
    openWrites++;
    return () -> openWrites--;
  }

  /** Writes of which something is still kept in memory. */
  int openWrites() {
    return openWrites;
  }

  boolean isReady() {
    return ready;
  }

  /** The loop of the first lane. */
  NodeLoop loop() {
    return lanes.getFirst().loop();
  }

  /** One of the lanes, in turns. */
  SimLane lane(int turn) {
    return lanes.get(turn % lanes.size());
  }

  private List<SimServer> servers() {
    return lanes.stream().map(SimLane::server).toList();
  }

  /** From now on requests claim another epoch: 0 for their own again. */
  void claimEpoch(long offset) {
    lanes.forEach(lane -> lane.transport().claimEpoch(offset));
  }

  /** Whether new connections to peers get through. */
  void canDial(boolean can) {
    lanes.forEach(lane -> lane.transport().canDial(can));
  }

  Replicas replicas() {
    return core.lanes().getFirst().replicas();
  }

  NodeCore core() {
    return core;
  }

  HintStore hints() {
    return hints;
  }

  /**
   * Another process takes the place of this one, which goes on at another address.
   *
   * @param canDial whether it can make connections there
   */
  void moveTo(MemberId address, boolean canDial) {
    lanes.forEach(lane -> lane.moveTo(address));
    canDial(canDial);
    world.network().close(id);
    world.network().listen(address, servers());
  }

  /** A peer's process has ended and its machine closes what it had open. */
  void onEnd(SimProcess peer) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).onEnd(peer.id, peer.lanes.get(i));
    }
  }

  /** Whether no later process has a copy of its disk. */
  boolean hasOwnDirectory() {
    return disk.keepsMarks;
  }

  MemberId address() {
    return lanes.getFirst().server().address();
  }

  void kill() {
    lanes.forEach(lane -> lane.loop().kill());
    device.kill();
    background.kill();
  }

  void stop() {
    lanes.forEach(lane -> lane.loop().stop());
    device.stop();
    background.stop();
  }

  void goOn() {
    device.goOn();
    background.goOn();
    lanes.forEach(lane -> lane.loop().goOn());
  }
}
