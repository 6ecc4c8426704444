package dev.kvorum.simulation;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.placement.Layout;
import dev.kvorum.simulation.clients.SimClient;
import dev.kvorum.simulation.cluster.Breakage;
import dev.kvorum.simulation.cluster.MembersOperator;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.faults.Faults;
import dev.kvorum.simulation.faults.Upgrades;
import dev.kvorum.simulation.operators.PlannedOperator;
import dev.kvorum.simulation.operators.SimOperator;
import dev.kvorum.simulation.operators.StagedOperator;
import dev.kvorum.simulation.run.Bias;
import dev.kvorum.simulation.run.Invariant;
import dev.kvorum.simulation.run.Invariant.Violation;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Profile.HotKey;
import dev.kvorum.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One run: a period of faults under load, then all faults heal and the cluster must become
 * complete.
 */
public final class Simulation {
  private static final long CONVERGENCE_MILLIS = 120_000;
  static final long PURGING_MILLIS = 12_000;
  private static final int LAST_REQUESTS_MAX = 20;

  /**
   * What came of a run.
   *
   * @param outcomes operations by how they ended
   * @param faults by kind
   * @param changes of the members, by kind
   * @param meters what the nodes counted themselves
   * @param digest the same for two runs that did the same
   * @param tail the last lines of the trace
   */
  public record Report(
      Profile profile,
      List<Violation> violations,
      Map<String, Integer> outcomes,
      Map<String, Integer> faults,
      Map<String, Integer> changes,
      Map<String, Integer> meters,
      long virtualMillis,
      String digest,
      List<String> tail) {
    /** What went wrong, how to see it again, and what came before it. */
    @Override
    public String toString() {
      String replay = "make simulate SEEDS=1 FIRST=" + profile.seed() + " TRACE=1";
      return profile
          + "\n  "
          + String.join("\n  ", violations.stream().map(Violation::toString).toList())
          + "\n  replay: "
          + replay
          + "\n    ... "
          + String.join("\n    ... ", tail)
          + "\n  replay: "
          + replay;
    }
  }

  private final Profile profile;
  private final SimCluster cluster;
  private final Faults faults;
  private final Upgrades upgrades;
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private int sessions;

  private Simulation(Profile profile, Breakage breakage, boolean print) {
    this.profile = profile;
    this.cluster = new SimCluster(profile, breakage, Simulation::operator, print);
    this.faults = new Faults(cluster);
    this.upgrades = new Upgrades(cluster, faults);
  }

  private static MembersOperator operator(
      SimCluster cluster, Topology first, Function<Topology, Layout> layouts) {
    if (PlannedOperator.isIn(cluster.profile)) {
      return new PlannedOperator(cluster, first, layouts);
    }
    return cluster.profile.bias() == Bias.CHANGES
        ? new StagedOperator(cluster, first, layouts)
        : new SimOperator(cluster, first, layouts);
  }

  /** Plays a seed to its end. */
  public static Report run(long seed, Breakage breakage, boolean print) {
    return new Simulation(Profile.of(seed), breakage, print).play();
  }

  private Report play() {
    try {
      playToTheEnd();
    } catch (RuntimeException | AssertionError e) {
      cluster.invariants.violated(
          Invariant.UNSOUND, e + " at " + List.of(e.getStackTrace()).getFirst());
    }
    return new Report(
        profile,
        List.copyOf(cluster.invariants.violations()),
        outcomes,
        faults.counts(),
        cluster.operator.counts(),
        cluster.meters(),
        cluster.trace.millis(),
        cluster.trace.digest(),
        cluster.trace.tail());
  }

  private void playToTheEnd() {
    cluster.trace.note(profile.toString());
    faults.start();
    if (profile.bias() == Bias.UPGRADES) {
      upgrades.begin();
    }
    cluster.nodes().forEach(SimNode::start);
    cluster.operator.watchFounding();
    cluster.restarts.watch();
    if (profile.changes()) {
      cluster.operator.start();
    }
    Backups backups = new Backups(cluster);
    backups.begin();
    clientsFor(profile.chaosMillis());
    advance(profile.chaosMillis());
    outcomes.put("keys of backups", backups.end());
    cluster.operator.end();
    upgrades.heal();
    faults.heal();
    cluster.trace.note("healed");
    awaitConvergence();
    if (!profile.areClocksBounded()) {
      // What a broken clock has stamped ahead is rejected until that time has come.
      advance(profile.clockBoundMillis());
    }
    readAll();
    writeAll(0);
    if (profile.wipes()) {
      new AwayTrials(this, cluster).play();
    }
    // Long enough for tombstones to be removed, and for what that could bring back.
    advance(PURGING_MILLIS);
    awaitConvergence();
    readAll();
    if (profile.corrupts()) {
      // What was removed meanwhile must not be found again beneath what cannot be read.
      clientsFor(3500);
      faults.corruption().strike();
      advance(4000);
      awaitConvergence();
      readAll();
    }
    if (profile.jumps()) {
      new WrongClockTrials(this, cluster).play(faults.clocks().millis());
    }
    if (MembersLost.isIn(profile)) {
      new MembersLost(this, cluster).play();
    }
  }

  void clientsFor(long millis) {
    for (int i = 0; i < profile.clients(); i++) {
      sessions++;
      new SimClient("c" + sessions, cluster, outcomes).run(millis);
    }
  }

  boolean isBroken() {
    return !cluster.invariants.violations().isEmpty();
  }

  void advance(long millis) {
    long end = cluster.trace.millis() + millis;
    while (!isBroken() && cluster.trace.millis() < end) {
      cluster.time.advance(Duration.ofMillis(20));
    }
  }

  /** Waits until replicas are equal and hints are gone, which must not take for ever. */
  void awaitConvergence() {
    Convergence convergence = new Convergence(cluster);
    advance(2_000);
    long end = cluster.trace.millis() + CONVERGENCE_MILLIS;
    List<String> differences = List.of("not looked at");
    while (!isBroken() && !differences.isEmpty() && cluster.trace.millis() < end) {
      advance(500);
      differences = convergence.differences(cluster.time.wallClock(0).millis());
      cluster.trace.note("differences: " + differences);
    }
    if (!isBroken() && !differences.isEmpty()) {
      cluster.invariants.violated(Invariant.DIVERGED, String.join("; ", differences));
    }
  }

  /** Every node must take a write, unless clocks are too coarse to be as close as they have to. */
  void writeAll(long ttlMillis) {
    if (profile.clockTickMillis() > 1) {
      return;
    }
    List<SimNode> running = cluster.nodes().stream().filter(SimNode::isRunning).toList();
    int away = cluster.nodes().size() - running.size();
    // Without one node there may be no majority of two copies, or of more than there are members.
    List<HotKey> strict =
        profile.keys().stream()
            .filter(key ->
                key.strict()
                    && Quorum.majorityOf(key.from())
                        <= Math.min(key.from(), cluster.nodes().size()) - away)
            .toList();
    for (SimNode node : running) {
      HotKey key = strict.get(cluster.random.nextInt(strict.size()));
      String what = node.id + " takes no write of " + key;
      repeat(
          what,
          List.of("Acknowledged"),
          then -> {
            // No value twice.
            sessions++;
            new SimClient("w" + sessions, cluster, outcomes).put(node, key, ttlMillis, then);
          });
    }
  }

  /** Every node must answer for every key, and rightly. */
  void readAll() {
    readAll(0);
  }

  /** The same for keys of at least so many copies. */
  void readAll(int fromMin) {
    for (HotKey key : profile.keys()) {
      for (SimNode node : cluster.nodes()) {
        if (key.from() >= fromMin) {
          readUntilAnswered(key, node);
        }
      }
    }
  }

  private void readUntilAnswered(HotKey key, SimNode node) {
    SimClient last = new SimClient("last", cluster, outcomes);
    String what = node.id + " does not answer for " + key;
    repeat(what, List.of("Found", "NotFound"), then -> last.read(node, key, then));
  }

  /** Does something again and again until it comes to one of these outcomes. */
  private void repeat(String what, List<String> wanted, Consumer<Runnable> request) {
    int before = count(wanted);
    for (int i = 0; !isBroken() && count(wanted) == before; i++) {
      if (i == LAST_REQUESTS_MAX) {
        cluster.invariants.violated(Invariant.UNSOUND, what + " though all is well");
      }
      boolean[] over = {false};
      request.accept(() -> over[0] = true);
      while (!over[0] && !isBroken()) {
        advance(20);
      }
    }
  }

  private int count(List<String> some) {
    return some.stream().mapToInt(outcome -> outcomes.getOrDefault(outcome, 0)).sum();
  }
}
