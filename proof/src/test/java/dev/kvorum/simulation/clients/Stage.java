package dev.kvorum.simulation.clients;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.data.Key;
import dev.kvorum.data.Versioned;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Profile.HotKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What scenes are made of: keys of their own, requests to one node, links that are cut. */
public final class Stage {
  private static final int PROBES = 8;
  private static final int CANDIDATES_MAX = 2000;

  public final SimCluster cluster;
  public final SplittableRandom random;
  private final BooleanSupplier over;
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private final List<Runnable> undo = new ArrayList<>();
  private int scenes;
  private int operations;
  private int open;

  /**
   * An empty stage.
   *
   * @param over whether nothing is to go wrong any more
   */
  public Stage(SimCluster cluster, SplittableRandom random, BooleanSupplier over) {
    this.cluster = cluster;
    this.random = random;
    this.over = over;
  }

  public Script script() {
    return new Script(cluster, over);
  }

  /** New keys that are before, or behind, all others in a scan. */
  public List<HotKey> probes(boolean first, Predicate<Key> wanted) {
    int scene = first ? 999 - scenes++ : scenes++;
    String prefix = (first ? "a" : "z") + "%03d-".formatted(scene);
    return IntStream.range(0, CANDIDATES_MAX)
        .mapToObj(i -> Key.of(prefix + i))
        .filter(wanted)
        .limit(PROBES)
        .map(key -> new HotKey(key, 3, true))
        .toList();
  }

  /** Nodes in any order. */
  public List<SimNode> shuffled() {
    List<SimNode> rest = new ArrayList<>(cluster.nodes());
    List<SimNode> shuffled = new ArrayList<>();
    while (!rest.isEmpty()) {
      shuffled.add(rest.remove(random.nextInt(rest.size())));
    }
    return shuffled;
  }

  /** Loses what one node sends to others. */
  public void cut(SimNode from, SimNode... to) {
    for (SimNode other : to) {
      cluster.network.cut(from.id, other.id, true);
      undo.add(() -> uncut(from, other));
    }
  }

  public void uncut(SimNode from, SimNode... to) {
    for (SimNode other : to) {
      cluster.network.cut(from.id, other.id, false);
    }
  }

  /** Cuts both ways. */
  public void part(SimNode one, SimNode... others) {
    for (SimNode other : others) {
      cut(one, other);
      cut(other, one);
    }
  }

  public void unite(SimNode one, SimNode... others) {
    for (SimNode other : others) {
      uncut(one, other);
      uncut(other, one);
    }
  }

  /** Lets a disk be slow. */
  public void slowDown(SimNode node, long millis) {
    node.disk.slowMillis = millis;
    undo.add(() -> node.disk.slowMillis = 0);
  }

  public void setClock(SimNode node, long millis) {
    node.clock.set(millis, 0);
    undo.add(() -> node.clock.set(0, 0));
  }

  /** All is as before. */
  public void clear() {
    List.copyOf(undo).forEach(Runnable::run);
    undo.clear();
    cluster.nodes().forEach(SimNode::start);
  }

  public void put(SimNode at, HotKey probe) {
    client().put(at, probe, majority(probe), this::closed);
  }

  public void put(SimNode at, List<HotKey> probes) {
    probes.forEach(probe -> put(at, probe));
  }

  /** Writes to all replicas. */
  public void fill(SimNode at, List<HotKey> probes) {
    for (HotKey probe : probes) {
      Quorum all = new Quorum(probe.from(), probe.from());
      client().put(at, probe, all, this::closed);
    }
  }

  public void delete(SimNode at, List<HotKey> probes) {
    probes.forEach(probe -> client().delete(at, probe, majority(probe), this::closed));
  }

  public void read(SimNode at, List<HotKey> probes) {
    probes.forEach(probe -> client().read(at, probe, majority(probe), this::closed));
  }

  private static Quorum majority(HotKey probe) {
    return new Quorum(Quorum.majorityOf(probe.from()), probe.from());
  }

  private SimClient client() {
    open++;
    operations++;
    return new SimClient("s" + operations, cluster, outcomes);
  }

  private void closed() {
    open--;
  }

  /** Whether all requests have been answered or abandoned. */
  public boolean isIdle() {
    return open == 0;
  }

  /** Whether each member that has to keep a record has it, or something newer. */
  public boolean isEqual() {
    List<SimNode> nodes = cluster.nodes();
    return nodes.stream()
        .flatMap(node -> node.disk.written().records.entrySet().stream())
        .allMatch(entry ->
            nodes.stream()
                .filter(other ->
                    cluster.keepers(entry.getKey(), entry.getValue().from()).contains(other.id))
                .allMatch(other ->
                    isAsNew(other.disk.written().records.get(entry.getKey()), entry.getValue())));
  }

  /** A tombstone may have been removed. */
  private static boolean isAsNew(@Nullable Versioned held, Versioned record) {
    return held == null ? record.tombstone() : !record.version().isNewerThan(held.version());
  }

  public static @Nullable Versioned held(SimNode node, HotKey probe) {
    return node.disk.written().records.get(probe.key());
  }

  public static boolean isTombstone(SimNode node, HotKey probe) {
    Versioned held = held(node, probe);
    return held != null && held.tombstone();
  }

  /** Whether all members have all that they should have. */
  public boolean isComplete() {
    return cluster.nodes().stream()
        .allMatch(node ->
            node.isReady()
                && SimCluster.isComplete(node)
                && cluster.nodes().stream()
                    .allMatch(other -> other == node || isConnected(node, other)));
  }

  private static boolean isConnected(SimNode node, SimNode other) {
    SimProcess process = node.process();
    return process != null && process.isConnected(other.id);
  }
}
