package dev.kvorum.simulation.faults;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Phase;
import dev.kvorum.topology.Topology;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Installs two releases, one member at a time: one with all features and one with none, in both
 * directions. A cluster whose members change has an operator that activates features by what the
 * members reported a moment ago: the planner, or one that stands in for it here; in others the
 * members agree.
 */
public final class Upgrades {
  private static final long REPORTED_MILLIS_MAX = 400;

  private final SimCluster cluster;
  private final Faults faults;
  private final SplittableRandom random;

  public Upgrades(SimCluster cluster, Faults faults) {
    this.cluster = cluster;
    this.faults = faults;
    this.random = new SplittableRandom(cluster.profile.seed() * 67);
  }

  /** Begins with members that lack all features. */
  public void begin() {
    cluster.nodes().forEach(node -> node.installFirst(Set.of()));
    next();
    if (cluster.profile.changes() && !cluster.operator.activatesFeatures()) {
      activate();
    }
  }

  /** Installs the release with all features everywhere. */
  public void heal() {
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      node.install(Feature.all());
      if (process != null && !process.release().hasAll()) {
        cluster.crash(node, false);
      }
    }
  }

  private void next() {
    faults.later(
        300 + random.nextLong(1500),
        () -> {
          install(cluster.anyNode(random), random.nextInt(4) > 0);
          next();
        });
  }

  private void install(SimNode node, boolean isNewer) {
    Set<Feature> release = isNewer ? Feature.all() : Set.of();
    if (faults.mayEnd(node) && !node.release().equals(release)) {
      faults.count(isNewer ? "upgrade" : "downgrade", node.id.name());
      cluster.crash(node, false);
      node.install(release);
      faults.later(50 + random.nextLong(1000), node::start);
    }
  }

  private void activate() {
    Topology seen = cluster.operator.topology();
    boolean isDue =
        seen.features().isEmpty()
            && seen.phase() == Phase.STABLE
            && cluster.operator.haveAllReported()
            && cluster.nodes().stream().allMatch(Upgrades::reportsAll);
    if (isDue) {
      Runnable activation = () -> cluster.operator.activateFeatures(seen);
      cluster.operator.after(random.nextLong(REPORTED_MILLIS_MAX), activation);
    }
    cluster.time.schedule(this::activate, REPORTED_MILLIS_MAX + 1, TimeUnit.MILLISECONDS);
  }

  private static boolean reportsAll(SimNode node) {
    SimProcess process = node.process();
    return process != null && process.release().hasAll();
  }
}
