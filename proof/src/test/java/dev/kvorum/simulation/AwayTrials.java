package dev.kvorum.simulation;

import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.run.Profile;

/** What a healed cluster has to stand while one of its members is away. */
final class AwayTrials {
  private final Simulation run;
  private final SimCluster cluster;

  AwayTrials(Simulation run, SimCluster cluster) {
    this.run = run;
    this.cluster = cluster;
  }

  void play() {
    if (cluster.random.nextInt(3) == 0) {
      leaveOneAway();
    }
    // Of three, each keeps every record.
    if (cluster.nodes().size() == 3 && cluster.random.nextInt(3) == 0) {
      loseMostDisks();
    }
  }

  /** In peace, one member is away until the others have removed tombstones without it. */
  private void leaveOneAway() {
    SimNode away = cluster.anyNode(cluster.random);
    cluster.trace.note("away " + away.id);
    cluster.crash(away, false);
    long millis = Profile.HORIZON.toMillis() + 4000 + cluster.random.nextLong(8000);
    run.clientsFor(millis + 2000);
    run.advance(millis);
    away.start();
    run.awaitConvergence();
    run.readAll();
  }

  /** In peace, all members but one that is away lose their disks: they must wait for that one. */
  private void loseMostDisks() {
    SimNode away = cluster.anyNode(cluster.random);
    SimProcess process = away.process();
    // One that resets its store has as little as those that lose their disks, and rejects writes
    // before
    // its disk tells.
    boolean votes = process != null && process.core().repair().hasAll();
    if (!votes || !SimCluster.isComplete(away) || !away.disk.isIntact()) {
      return;
    }
    cluster.trace.note("all disks are lost but that of " + away.id);
    for (SimNode node : cluster.nodes()) {
      cluster.crash(node, node != away);
      if (node != away) {
        node.disk.wipe();
        node.start();
      }
    }
    run.clientsFor(3000);
    run.advance(3000 + cluster.random.nextLong(3000));
    away.start();
    run.awaitConvergence();
    run.readAll();
  }
}
