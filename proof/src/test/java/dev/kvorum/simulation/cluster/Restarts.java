package dev.kvorum.simulation.cluster;

import dev.kvorum.topology.MemberId;
import java.util.concurrent.TimeUnit;

/** The platform's part: starts processes again that have ended or whose liveness check fails. */
public final class Restarts {
  private static final long PAUSE_MILLIS = 1000;

  private final SimCluster cluster;

  Restarts(SimCluster cluster) {
    this.cluster = cluster;
  }

  /** Checks all processes from now on: whether they are superseded, or have no store. */
  public void watch() {
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      if (process == null) {
        continue;
      }
      if (process.store.needsRestart()) {
        cluster.count("store-restarted", 1);
        restart(node);
      } else if (process.core().fence().isSuperseded()) {
        restart(node);
      }
    }
    cluster.time.schedule(this::watch, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** A process dies amid a replacement or a salvage. */
  void died(MemberId member) {
    cluster.count("death-at-a-step", 1);
    SimNode node = cluster.byId().get(member);
    if (node != null) {
      restart(node);
    }
  }

  private void restart(SimNode node) {
    cluster.crash(node, false);
    cluster.time.schedule(node::start, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
