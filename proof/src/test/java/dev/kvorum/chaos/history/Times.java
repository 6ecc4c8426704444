package dev.kvorum.chaos.history;

import java.util.concurrent.TimeUnit;

/**
 * What the nodes' clocks can have shown around an operation, in Unix milliseconds: the time, the
 * node's own wrong clock, or anything between the two, since the others' clocks correct it.
 */
record Times(Bounds bounds, long startMillis) {

  /** Earliest time at which a node can have judged or stamped it. */
  long earliest(Operation operation) {
    return startMillis
        + TimeUnit.NANOSECONDS.toMillis(operation.startNanos())
        + Math.min(0, operation.skewMillis())
        - bounds.slack().toMillis();
  }

  /** Latest time at which a node can have judged or stamped it. */
  long latest(Operation operation) {
    long lateMillis = operation.isAnswered() ? 0 : bounds.lateMax().toMillis();
    return startMillis
        + TimeUnit.NANOSECONDS.toMillis(operation.endNanos())
        + lateMillis
        + Math.max(0, operation.skewMillis())
        + bounds.slack().toMillis();
  }

  /** Whether a write that may have been stored can be newer than a version. */
  boolean mayBeAbove(Operation write, String version) {
    return write.version().isEmpty()
        ? latest(write) + bounds.clockOffset().toMillis() >= Operation.millisOf(version)
        : write.version().compareTo(version) > 0;
  }

  /** Whether a reader can have found what was written expired. */
  boolean mayBeExpired(Operation put, Operation read) {
    return put.ttlMillis() > 0 && latest(read) >= earliest(put) + put.ttlMillis();
  }

  /** Whether every reader must have found what was written expired. */
  boolean isExpired(Operation put, Operation read) {
    return put.ttlMillis() > 0 && earliest(read) > latest(put) + put.ttlMillis();
  }
}
