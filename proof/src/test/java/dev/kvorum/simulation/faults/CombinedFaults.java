package dev.kvorum.simulation.faults;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Faults that come together as chance would hardly bring them. */
final class CombinedFaults {
  private final SimCluster cluster;
  private final SplittableRandom random;
  private final Faults faults;

  CombinedFaults(SimCluster cluster, SplittableRandom random, Faults faults) {
    this.cluster = cluster;
    this.random = random;
    this.faults = faults;
  }

  /** Does what the run is biased to; whether nothing else is to be done. */
  boolean strike(SimNode node) {
    return switch (cluster.profile.bias()) {
      case NONE -> false;
      case CHANGES, FLOORS, TOMBSTONES, PAUSES -> true;
      // Where no more goes wrong than that, changes come to their end.
      case PLANS -> random.nextInt(8) > 0;
      // Nor do members find a moment at which all of them are connected.
      case UPGRADES -> random.nextInt(3) > 0;
      // Where much else goes wrong no change comes to its end.
      case MEMBERS -> random.nextInt(4) > 0;
      case DISKS -> {
        boolean now = random.nextInt(3) == 0;
        if (now) {
          loseDiskOfTwo(node);
        }
        yield now;
      }
    };
  }

  /**
   * One replica misses writes, another one that has them loses its disk, and cannot reach the third
   * that has them too. It has to wait, and not to vote.
   */
  void loseDisk(SimNode node, SimNode behind) {
    long apart = 100 + random.nextLong(900);
    faults.isolate(behind, apart);
    faults.later(
        apart,
        () -> {
          faults.loseDisk(node);
          cluster.nodes().stream()
              .filter(third -> third != node && third != behind)
              .forEach(third -> faults.cut(node, third, true, 2000 + random.nextLong(3000)));
        });
  }

  /** The same, and the third is unreachable: clients are left with the other two. */
  private void loseDiskOfTwo(SimNode node) {
    List<SimNode> others = new ArrayList<>(cluster.nodes());
    others.remove(node);
    SimNode behind = others.remove(random.nextInt(others.size()));
    if (!cluster.areOthersComplete(node)) {
      return;
    }
    long apart = 200 + random.nextLong(600);
    faults.isolate(behind, apart);
    faults.later(
        apart,
        () -> {
          faults.loseDisk(node);
          SimNode away = others.get(random.nextInt(others.size()));
          faults.isolate(away, 1500 + random.nextLong(2500));
        });
  }
}
