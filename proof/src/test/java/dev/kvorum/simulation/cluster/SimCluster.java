package dev.kvorum.simulation.cluster;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.metrics.Meters;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.simulation.network.SimNetwork;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Invariant;
import dev.kvorum.simulation.run.Invariants;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Trace;
import dev.kvorum.simulation.storage.SimDisk;
import dev.kvorum.storage.Durability;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All machines of a run with their network and their observer. */
public final class SimCluster implements Invariants.Watched {
  private static final Map<List<Member>, SlotMap> PLACEMENTS = new ConcurrentHashMap<>();

  public final Profile profile;
  public final VirtualLoop time = new VirtualLoop();
  public final Trace trace;
  public final SplittableRandom random;
  public final SimNetwork network;
  public final Invariants invariants;
  // A member that comes back has a new directory: never the numbers it had.
  private final SplittableRandom incarnations;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Breakage breakage;
  private final Meters meters;
  private final int eventLoops;
  public final MembersOperator operator;
  private final Map<MemberId, SimNode> nodes = new TreeMap<>();
  public final Restarts restarts = new Restarts(this);
  private @Nullable SimProcess oldProcess;

  /** Whether a process that starts here now may read no other clock than a wrong one. */
  public Predicate<SimNode> isMisled = node -> false;

  /** Whether clients ask for nothing at the moment. */
  public boolean quiet;

  // Abandoned machines, with what is on their disks.
  private final Map<MemberId, SimNode> givenUp = new TreeMap<>();

  /** Which operator changes the members of a cluster. */
  public interface Operators {
    /** The operator of a cluster with these first members. */
    MembersOperator of(SimCluster cluster, Topology first, Function<Topology, Layout> layouts);
  }

  public SimCluster(Profile profile, Breakage breakage, Operators operators, boolean print) {
    this.profile = profile;
    trace = new Trace(time, print);
    boolean areMore = new SplittableRandom(~profile.seed() * 47).nextInt(3) == 0;
    eventLoops = profile.duplicates() || areMore ? 2 : 1;
    random = new SplittableRandom(profile.seed() ^ 0x5DEECE66DL);
    incarnations = new SplittableRandom(profile.seed() ^ 0x1CA27A7104L);
    network = new SimNetwork(time, random.split(), trace, profile, this::isPowered);
    invariants = new Invariants(profile, this, trace, () -> time.wallClock(0).millis());
    List<Member> members =
        IntStream.range(0, profile.members())
            .mapToObj(i -> new Member(new MemberId("n" + i), "", MemberState.ACTIVE))
            .toList();
    Topology topology = Topology.stable("simulated", 1, members);
    this.breakage = breakage;
    this.meters = new Meters(registry);
    this.operator = operators.of(this, topology, SimCluster::layout);
    members.forEach(member -> add(member.id(), topology));
  }

  /** Adds a machine that has this topology. */
  public SimNode add(MemberId id, Topology topology) {
    SimWorld world =
        new SimWorld(
            time,
            eventLoops,
            network,
            profile.core(),
            profile.durability(),
            SimCluster::layout,
            meters,
            breakage,
            profile.bias() == Bias.UPGRADES && !profile.changes(),
            () -> nodes.values().stream().allMatch(SimNode::hasHadAll),
            () -> operator.isFounded(),
            this::onReset,
            restarts::died,
            invariants::servedStaleEpoch,
            failure -> failed(id, failure));
    SimNode old = givenUp.remove(id);
    SimNode node = old == null ? machine(id, topology, world) : old;
    node.returnedIn = old == null ? 0 : topology.epoch();
    nodes.put(id, node);
    return node;
  }

  /**
   * Takes a machine away that may be brought back, disk and all, should its name be added again.
   */
  public void giveUp(SimNode node) {
    takeAway(node);
    givenUp.put(node.id, node);
  }

  /** Removes a machine permanently: a fault that ends later must not start a second process. */
  public void remove(SimNode node) {
    node.mayStart = () -> false;
    takeAway(node);
  }

  private void takeAway(SimNode node) {
    trace.note("removed " + node.id);
    crash(node, false);
    nodes.remove(node.id);
  }

  /** Slot maps are the same in all runs, and take as long as simulating seconds. */
  private static Layout layout(Topology topology) {
    return Layout.of(topology, members -> PLACEMENTS.computeIfAbsent(members, SlotMap::of));
  }

  private SimNode machine(MemberId id, Topology topology, SimWorld world) {
    SplittableRandom own = random.split();
    return new SimNode(
        new SimDisk(id, topology, invariants::wrote, incarnations::nextLong),
        new SimClock(time, profile.clockBoundMillis(), profile.clockTickMillis()),
        own,
        network,
        trace,
        new SimNode.Supervisor() {
          @Override
          public boolean isMisled(SimNode node) {
            return isMisled.test(node);
          }

          @Override
          public SimProcess boot(SimNode node) {
            // A lost disk has no topology, so it fetches one.
            node.disk.learn(operator.topology());
            return new SimProcess(world, node, own.split());
          }
        });
  }

  private void failed(MemberId member, RuntimeException failure) {
    StackTraceElement[] stack = failure.getStackTrace();
    String where = stack.length == 0 ? "" : " at " + stack[0];
    invariants.violated(Invariant.UNSOUND, "a task of " + member + " threw " + failure + where);
  }

  private void onReset(MemberId member) {
    trace.note("resets its store: " + member);
    count("store-reset", 1);
  }

  /** Whether all but this one have all that they should have. */
  public boolean areOthersComplete(SimNode one) {
    return nodes.values().stream()
        .filter(node -> node != one)
        .allMatch(node -> isComplete(node) && node.disk.isIntact());
  }

  /** Whether a member has all that it should have: so the cluster has begun. */
  public boolean isAnyComplete() {
    return nodes.values().stream().anyMatch(SimCluster::isComplete);
  }

  public static boolean isComplete(SimNode node) {
    return !node.isAway && !node.isLost && node.disk.written().mark("complete") > 0;
  }

  private boolean isPowered(MemberId member) {
    SimNode node = nodes.get(member);
    return node != null && node.isPowered();
  }

  public List<SimNode> nodes() {
    return new ArrayList<>(nodes.values());
  }

  public Map<MemberId, SimNode> byId() {
    return nodes;
  }

  /** Counts what happened to a node. */
  void count(String what, int times) {
    if (times > 0) {
      counts.merge(what, times, Integer::sum);
    }
  }

  /** What the nodes counted, as far as it happened at all. */
  public Map<String, Integer> meters() {
    for (Counter counter : Search.in(registry).counters()) {
      count(counter.getId().getName(), (int) counter.count());
    }
    return counts;
  }

  public SimNode anyNode(SplittableRandom by) {
    return nodes().get(by.nextInt(nodes.size()));
  }

  /** Lets all disks be slow for a moment: what was accepted waits to be written. */
  public void disturb(SplittableRandom by) {
    long millis = by.nextLong(300);
    for (SimNode node : nodes()) {
      node.disk.slowMillis = millis;
      Runnable over = () -> node.disk.slowMillis = 0;
      time.schedule(over, 300, TimeUnit.MILLISECONDS);
    }
  }

  /** Ends a process, with the machine's power or without. */
  public void crash(SimNode node, boolean power) {
    SimProcess ended = node.process();
    node.crash(power);
    if (ended == null) {
      return;
    }
    count("store-reopened", (int) ended.store.reopened());
    if (!power) {
      onEnd(ended);
    }
  }

  private void onEnd(SimProcess ended) {
    for (SimNode other : nodes.values()) {
      SimProcess process = other.process();
      if (process != null) {
        process.onEnd(ended);
      }
    }
  }

  /** The earlier process of a member, while it has two. */
  public @Nullable SimProcess oldProcess() {
    return oldProcess;
  }

  /** From now on, clients ask this process too. */
  public void oldProcess(SimProcess old) {
    oldProcess = old;
  }

  public void killOldProcess() {
    SimProcess old = oldProcess;
    if (old != null) {
      trace.note("kill " + old.address());
      old.store.die();
      old.kill();
      network.close(old.address());
      oldProcess = null;
      onEnd(old);
    }
  }

  @Override
  public List<MemberId> keepers(Key key, int from) {
    return operator.keepers(key, from);
  }

  @Override
  public boolean mayStore(MemberId member, Key key, int from) {
    return keepers(key, from).contains(member) || isFormerKeeper(member, key, from);
  }

  /** A former member, also when it is added again, stores what it keeps by its last epoch. */
  private boolean isFormerKeeper(MemberId member, Key key, int from) {
    SimNode node = nodes.get(member);
    return node != null
        && node.disk.topology != null
        && (!operator.isMember(member) || node.disk.topology.epoch() < node.returnedIn)
        && operator.keepers(node.disk.topology, key, from).contains(member);
  }

  @Override
  public boolean hasKept(MemberId member, Key key, Version version) {
    SimNode node = nodes.get(member);
    return node != null && node.disk.hasKept(key, version, profile.durability() == Durability.SYNC);
  }
}
