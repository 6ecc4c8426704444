package dev.kvorum.simulation.faults;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Injects faults one after another, each for a limited time. */
public final class Faults {
  /** How long after its start a member has determined whether it has to reset its store. */
  private static final long BACK_MILLIS = 12_000;

  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Corruption corruption;
  private final BitFlips flips;
  private final ClockJumps clocks;
  private final DiskFaults disks;
  private final DuplicateProcesses duplicates;
  private final CombinedFaults combined;
  private boolean over;

  public Faults(SimCluster cluster) {
    this.cluster = cluster;
    this.random = cluster.random.split();
    this.corruption = new Corruption(cluster, random, this::count);
    this.flips = new BitFlips(cluster, this::count);
    this.clocks = new ClockJumps(cluster, random, this::count, this::loseDisk);
    this.disks =
        new DiskFaults(
            cluster, random, this::count, (action, millis) -> later(millis, action), this::aWhile);
    this.duplicates = new DuplicateProcesses(cluster, random, this::count);
    this.combined = new CombinedFaults(cluster, random, this);
  }

  /** Faults by kind, as many as there were. */
  public Map<String, Integer> counts() {
    counts.put("frame-lost", (int) cluster.network.framesLost);
    counts.put("frame-twice", (int) cluster.network.framesTwice);
    counts.put("frame-flipped", (int) cluster.network.framesFlipped);
    return counts;
  }

  /** Stores that turn out to be corrupted. */
  public Corruption corruption() {
    return corruption;
  }

  /** Clocks that are far off. */
  public ClockJumps clocks() {
    return clocks;
  }

  public void start() {
    for (SimNode node : cluster.nodes()) {
      setClock(node);
    }
    if (cluster.profile.flips()) {
      flips.start();
    }
    if (cluster.profile.jumps()) {
      cluster.isMisled = clocks::mislead;
      clocks.start();
    }
    if (cluster.profile.duplicates()) {
      duplicates.start();
    }
    if (cluster.profile.bias().isStaged()) {
      new Scenes(cluster, random.split(), () -> over).begin();
    }
    next();
  }

  /** Makes all well again. */
  public void heal() {
    over = true;
    flips.stop();
    clocks.end();
    duplicates.end();
    cluster.network.heal();
    for (SimNode node : cluster.nodes()) {
      node.disk.heal();
      node.resume();
      node.start();
      SimProcess process = node.process();
      if (process != null) {
        process.claimEpoch(0);
      }
      if (!cluster.profile.areClocksBounded()) {
        node.clock.set(0, 0);
      }
    }
    corruption.heal();
  }

  private void next() {
    later(
        50 + random.nextLong(1500),
        () -> {
          if (!clocks.isCalm()) {
            strike(cluster.anyNode(random), cluster.anyNode(random));
          }
          next();
        });
  }

  void later(long millis, Runnable action) {
    cluster.time.schedule(
        () -> {
          if (!over) {
            action.run();
          }
        },
        millis,
        TimeUnit.MILLISECONDS);
  }

  private long aWhile() {
    return random.nextInt(5) == 0 ? random.nextLong(8000) : random.nextLong(1500);
  }

  private void strike(SimNode node, SimNode other) {
    if (combined.strike(node)) {
      return;
    }
    boolean gentle = cluster.profile.trouble() == Profile.Trouble.GENTLE;
    int kinds = gentle ? 11 : !cluster.profile.wipes() ? 20 : cluster.profile.corrupts() ? 27 : 23;
    switch (random.nextInt(kinds)) {
      case 0, 1 -> stop(node);
      case 2, 3 -> cut(node, other, false, aWhile());
      case 4 -> cut(node, other, true, aWhile());
      case 5, 6 -> isolate(node, aWhile());
      case 7 -> lose(node, other);
      case 8 -> slowDown(node, other);
      case 9 -> jump(node);
      case 10 -> claimEpoch(node);
      case 11 -> disks.slow(node);
      case 12 -> disks.full(node);
      case 13 -> disks.failing(node);
      case 14 -> disks.damage(node);
      case 15, 16, 17 -> crash(node, false);
      case 18, 19 -> crash(node, cluster.profile.powerCuts());
      case 20, 21 -> loseDisk(node, other);
      case 22 -> goAway(node);
      case 23, 24 -> corruption.strike(1);
      case 25 -> corruption.strike(2);
      case 26 -> corruption.strike(cluster.nodes().size());
      default -> throw new IllegalStateException();
    }
  }

  void count(String kind, String where) {
    counts.merge(kind, 1, Integer::sum);
    cluster.trace.note("fault " + kind + " " + where);
  }

  private void crash(SimNode node, boolean power) {
    if (mayEnd(node)) {
      count(power ? "power-cut" : "kill", node.id.name());
      cluster.crash(node, power);
      if (!cluster.profile.areClocksBounded()) {
        setClock(node);
      }
      later(50 + aWhile(), () -> start(node, false));
    }
  }

  /**
   * A node that starts while a member has two processes may connect to the wrong one (ADR 0017),
   * and one that starts while a clock is wrong may read no other.
   */
  boolean mayEnd(SimNode node) {
    return node.isRunning() && !duplicates.isPresent() && !clocks.mislead(node);
  }

  /** Half the time together with other faults, as chance would hardly bring it. */
  private void loseDisk(SimNode node, SimNode other) {
    if (random.nextBoolean()) {
      combined.loseDisk(node, other);
    } else {
      loseDisk(node);
    }
  }

  /** Starts a node; one that is away for long only when that is over. */
  private void start(SimNode node, boolean isBack) {
    if (node.isAway && !isBack) {
      later(1000, () -> start(node, isBack));
    } else {
      node.start();
    }
  }

  void loseDisk(SimNode node) {
    // A second one only once the first is rebuilt: a minority at a time.
    if (mayEnd(node) && cluster.areOthersComplete(node)) {
      count("lost-disk", node.id.name());
      // Another directory is rejected until the connections of the first one are closed.
      cluster.crash(node, cluster.profile.duplicates());
      node.disk.wipe();
      boolean quick = cluster.profile.bias() == Bias.DISKS;
      long millis = quick ? random.nextLong(60) : 1000 + random.nextLong(1000);
      later(millis, () -> start(node, false));
    }
  }

  /** Longer than the horizon: when it is back it has to start again, as if its disk were lost. */
  private void goAway(SimNode node) {
    if (mayEnd(node) && cluster.areOthersComplete(node)) {
      count("long-absence", node.id.name());
      long millis = Profile.HORIZON.toMillis() + 2000 + random.nextLong(8000);
      cluster.crash(node, false);
      // The one that restarts what has crashed leaves this one alone.
      node.isAway = true;
      later(millis, () -> start(node, true));
      later(millis + BACK_MILLIS, () -> node.isAway = false);
    }
  }

  private void stop(SimNode node) {
    if (node.isRunning() && !node.isStopped()) {
      count("stop", node.id.name());
      node.stop();
      later(aWhile(), node::resume);
    }
  }

  void cut(SimNode from, SimNode to, boolean bothWays, long millis) {
    count(bothWays ? "cut-both-ways" : "cut-one-way", from.id + " " + to.id);
    setCut(from, to, bothWays, true);
    later(millis, () -> setCut(from, to, bothWays, false));
  }

  private void setCut(SimNode from, SimNode to, boolean bothWays, boolean cut) {
    cluster.network.cut(from.id, to.id, cut);
    if (bothWays) {
      cluster.network.cut(to.id, from.id, cut);
    }
  }

  void isolate(SimNode node, long millis) {
    count("isolate", node.id.name());
    List<SimNode> others = new ArrayList<>(cluster.nodes());
    others.remove(node);
    others.forEach(other -> setCut(node, other, true, true));
    later(millis, () -> others.forEach(other -> setCut(node, other, true, false)));
  }

  private void lose(SimNode from, SimNode to) {
    count("loss", from.id + " " + to.id);
    cluster.network.lose(from.id, to.id, random.nextDouble(0.6));
    later(aWhile(), () -> cluster.network.lose(from.id, to.id, 0));
  }

  private void slowDown(SimNode from, SimNode to) {
    count("slow-link", from.id + " " + to.id);
    cluster.network.slowDown(from.id, to.id, 1 + random.nextLong(700));
    later(aWhile(), () -> cluster.network.slowDown(from.id, to.id, 0));
  }

  private void jump(SimNode node) {
    count("clock-jump", node.id.name());
    setClock(node);
  }

  private void setClock(SimNode node) {
    long bound = cluster.profile.clockBoundMillis();
    // Clocks that are broken are mostly a little back, and live through the same time again.
    long millis = random.nextLong(-bound, bound + 1);
    if (cluster.profile.bias() == Bias.DISKS) {
      millis = random.nextBoolean() ? bound : -bound;
    }
    boolean again = !cluster.profile.areClocksBounded() && random.nextBoolean();
    double drift = random.nextDouble(-20, 20);
    if (cluster.profile.bias().isStaged()) {
      // Scenes set clocks apart where that matters.
      node.clock.set(0, 0);
    } else {
      node.clock.set(again ? -random.nextLong(2000) : millis, drift);
    }
  }

  private void claimEpoch(SimNode node) {
    SimProcess process = node.process();
    if (process != null) {
      count("foreign-epoch", node.id.name());
      // Under a newer epoch than its own a late write would pass the barrier of a change.
      process.claimEpoch(random.nextBoolean() && !cluster.profile.changes() ? 1 : -1);
      later(random.nextLong(600), () -> process.claimEpoch(0));
    }
  }
}
