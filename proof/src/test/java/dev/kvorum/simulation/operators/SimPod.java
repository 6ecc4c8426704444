package dev.kvorum.simulation.operators;

import dev.kvorum.simulation.cluster.SimNode;
import dev.kvorum.simulation.cluster.SimProcess;
import dev.kvorum.topology.MemberId;
import org.jspecify.annotations.Nullable;

/** A pod as the kubelet keeps it; times are virtual milliseconds. */
final class SimPod {
  final int ordinal;
  final String uid;
  final String template;
  final String zone;
  final long createdMillis;

  /** Since when its container runs; negative while it does not. */
  long startedMillis = -1;

  boolean hasRun;
  int restarts;
  boolean ready;

  /** When it should be gone; negative while it is to stay. */
  long terminatingMillis = -1;

  /** Whether the operator ends it although it serves: the pod after it may be elsewhere. */
  boolean mayMove;

  /** Grows with every change of its status. */
  long version;

  /** Whether the node in it has begun; before, its container only waits to be listed. */
  boolean hasBegun;

  private @Nullable SimProcess seen;

  SimPod(int ordinal, String uid, String template, String zone, long createdMillis) {
    this.ordinal = ordinal;
    this.uid = uid;
    this.template = template;
    this.zone = zone;
    this.createdMillis = createdMillis;
  }

  /** The pod's name as a member. */
  MemberId member() {
    return new MemberId("n" + ordinal);
  }

  boolean isTerminating() {
    return terminatingMillis >= 0;
  }

  boolean isBroken() {
    return template.startsWith("broken");
  }

  /** Looks at the process in it, which others start and end. */
  void probe(@Nullable SimNode node, long nowMillis) {
    SimProcess process = node == null ? null : node.process();
    boolean runs = process != null || !hasBegun;
    boolean isReady = node != null && node.isReady() && !node.isStopped() && !isBroken();
    if (process != null && process != seen) {
      if (seen != null) {
        restarts++;
        startedMillis = -1;
      }
      seen = process;
    }
    if (runs == startedMillis < 0 || isReady != ready) {
      startedMillis = !runs ? -1 : startedMillis < 0 ? nowMillis : startedMillis;
      hasRun |= runs;
      ready = isReady;
      version++;
    }
  }
}
