package dev.kvorum.simulation;

import dev.kvorum.data.Key;
import dev.kvorum.simulation.cluster.SimCluster;
import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.simulation.faults.ClockRemains;
import dev.kvorum.simulation.run.Invariant;
import java.util.List;
import java.util.Set;

/** What a healed cluster has to stand when its clocks are wrong, one after the other. */
final class WrongClockTrials {
  private static final long LONG_TTL_MILLIS = 3_600_000;

  private final Simulation run;
  private final SimCluster cluster;

  WrongClockTrials(Simulation run, SimCluster cluster) {
    this.run = run;
    this.cluster = cluster;
  }

  void play(long wrongMillis) {
    leaveOneClockWrong(wrongMillis);
    clearRemains();
    // Of two copies none may be lost.
    if (cluster.profile.wipes()) {
      rebuildBesideStampsFromTheFuture();
    }
  }

  /**
   * One clock is wrong for long, and the others' time is what counts: for its own member too, which
   * gives no versions, but answers, and is repaired unless it is behind and rejects writes either.
   */
  private void leaveOneClockWrong(long millis) {
    SimNode wrong = cluster.anyNode(cluster.random);
    cluster.trace.note("clock of " + wrong.id + " off by " + millis);
    wrong.clock.jump(millis, false);
    run.clientsFor(4000);
    run.advance(4000 + Simulation.PURGING_MILLIS);
    if (millis > 0) {
      run.awaitConvergence();
    }
    // One that is behind rejects what was stamped after its time, and so the repair of a read.
    run.readAll(millis > 0 ? 0 : 3);
    wrong.clock.correct();
    run.awaitConvergence();
    run.writeAll(LONG_TTL_MILLIS);
    run.readAll();
  }

  /**
   * What a wrong clock has left on a disk is repaired by the next comparison with one of the
   * others, though another one is away.
   */
  private void clearRemains() {
    List<SimNode> nodes = cluster.nodes();
    SimNode node = nodes.get(cluster.random.nextInt(nodes.size()));
    SimNode away = nodes.get((nodes.indexOf(node) + 1) % nodes.size());
    SimProcess process = node.process();
    cluster.crash(away, false);
    run.writeAll(LONG_TTL_MILLIS);
    if (process == null || run.isBroken()) {
      return;
    }
    Set<Key> keys = new ClockRemains(cluster).leaveOn(node, process);
    long end = cluster.trace.millis() + Simulation.PURGING_MILLIS * 2;
    while (keys.stream().anyMatch(node.disk.written()::isTombstone)
        && cluster.trace.millis() < end) {
      run.advance(500);
    }
    keys.removeIf(key -> !node.disk.written().isTombstone(key));
    if (!keys.isEmpty()) {
      cluster.invariants.violated(Invariant.EXPIRY, keys + " on " + node.id + " do not come back");
    }
    away.start();
    run.awaitConvergence();
    run.readAll();
  }

  /** Stamps from the future, on all other members, keep an emptied one from nothing. */
  private void rebuildBesideStampsFromTheFuture() {
    SimNode lost = cluster.anyNode(cluster.random);
    ClockRemains remains = new ClockRemains(cluster);
    for (SimNode node : cluster.nodes()) {
      SimProcess process = node.process();
      if (node != lost && process != null) {
        remains.leaveStampOn(node, process);
      }
    }
    cluster.crash(lost, true);
    lost.disk.wipe();
    lost.start();
    run.clientsFor(2000);
    run.awaitConvergence();
    // One that was fenced for longer than the horizon may have to reset its store, as peers tell it
    // when
    // they compare themselves.
    run.advance(Simulation.PURGING_MILLIS);
    run.awaitConvergence();
    run.writeAll(0);
    run.readAll();
  }
}
