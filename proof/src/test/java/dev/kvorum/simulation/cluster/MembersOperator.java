package dev.kvorum.simulation.cluster;

import dev.kvorum.data.Key;
import dev.kvorum.placement.Layout;
import dev.kvorum.rebalance.TransferReport;
import dev.kvorum.rebalance.TransferReport.State;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The one that decides on the members, and what of it is in the API. News reaches some nodes late,
 * and some only through other nodes.
 */
public abstract class MembersOperator {
  public final SimCluster cluster;
  protected final SplittableRandom random;
  private final Function<Topology, Layout> layouts;
  private final Map<String, Integer> counts = new TreeMap<>();
  private Topology topology;
  private Layout before;
  private Layout now;
  private boolean over;

  protected MembersOperator(
      SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    this.cluster = cluster;
    this.random = cluster.random.split();
    this.layouts = layouts;
    this.topology = first;
    this.now = layouts.apply(first);
    this.before = now;
  }

  /** Begins changes from now on. */
  public abstract void start();

  /** Whether it is written down that the cluster has begun. */
  protected abstract boolean isFounded();

  /** Writes down that the cluster has begun once a member is complete. */
  public abstract void watchFounding();

  /** Begins no more changes; one that is under way is brought to its end. */
  public void end() {
    over = true;
  }

  public boolean isOver() {
    return over;
  }

  public Map<String, Integer> counts() {
    return counts;
  }

  public void count(String kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  /** Whether this operator activates features itself. */
  public boolean activatesFeatures() {
    return false;
  }

  /** What is in the API. */
  public Topology topology() {
    return topology;
  }

  public boolean isMember(MemberId id) {
    return topology.member(id).isPresent();
  }

  /** Most copies that a request may ask for now. */
  public int fromMax() {
    return now.fromMax();
  }

  /** Whether nothing is left to be done. */
  public boolean isAtRest() {
    return topology.phase() == Phase.STABLE && haveAllReported() && areFormerGone();
  }

  private boolean areFormerGone() {
    return cluster.nodes().stream().allMatch(node -> isMember(node.id));
  }

  /** Which members may keep a record while some have the newest epoch and some do not. */
  protected List<MemberId> keepers(Key key, int from) {
    List<MemberId> keepers = new ArrayList<>(now.writes(key, from).replicas());
    before.writes(key, from).replicas().stream()
        .filter(member -> !keepers.contains(member))
        .forEach(keepers::add);
    return keepers;
  }

  public boolean haveAllReported() {
    for (SimNode node : cluster.nodes()) {
      if (isBeingRemoved(node.id)) {
        continue;
      }
      SimProcess process = node.process();
      if (process == null || node.isStopped() || process.core().epochSeen() < topology.epoch()) {
        return false;
      }
      TransferReport report = process.core().rebalance().report();
      boolean done = report.epoch() == topology.epoch() && report.state() == State.DONE;
      boolean ready =
          topology.phase() == Phase.STABLE ? process.core().rebalance().isCleanedUp() : done;
      if (isMember(node.id) && (!ready || !process.core().repair().hasAll())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a member is not asked before the next epoch begins. */
  private boolean isBeingRemoved(MemberId id) {
    return topology.member(id).filter(it -> it.state() == MemberState.REMOVING).isPresent();
  }

  /** From now on no node writes by the layout before the newest one. */
  protected void dropFormerLayout() {
    before = now;
  }

  /** Writes the next epoch and notifies most of the nodes. */
  protected void publish(Topology next) {
    write(next);
    for (SimNode node : cluster.nodes()) {
      if (random.nextInt(5) > 0) {
        notifyNode(node, random.nextLong(300));
      }
    }
  }

  /** Lists all features from the next epoch on, unless there is a newer one than was looked at. */
  public void activateFeatures(Topology seen) {
    if (topology.epoch() == seen.epoch()) {
      count("features-activated");
      publish(
          new Topology(
              topology.clusterId(),
              topology.epoch() + 1,
              Phase.STABLE,
              topology.members(),
              Feature.all()));
    }
  }

  /** Writes the next epoch and notifies no node. */
  protected void write(Topology without) {
    Topology next = without.features().isEmpty() ? without.with(topology.features()) : without;
    cluster.trace.note("epoch " + next.epoch() + " " + next.phase() + " " + next.members());
    topology = next;
    before = now;
    now = layouts.apply(next);
  }

  /** Who keeps a record under a topology. */
  protected List<MemberId> keepers(Topology under, Key key, int from) {
    return layouts.apply(under).writes(key, from).replicas();
  }

  /** Informers list again from time to time. */
  protected void remind() {
    for (SimNode node : cluster.nodes()) {
      if (random.nextInt(20) == 0) {
        notifyNode(node, random.nextLong(100));
      }
    }
  }

  public void notifyNode(SimNode node, long afterMillis) {
    Topology news = topology;
    after(
        afterMillis,
        () -> {
          SimProcess process = node.process();
          if (process != null) {
            process.loop().execute(() -> process.offer(news));
          }
        });
  }

  public void after(long millis, Runnable action) {
    cluster.time.schedule(action, millis, TimeUnit.MILLISECONDS);
  }
}
