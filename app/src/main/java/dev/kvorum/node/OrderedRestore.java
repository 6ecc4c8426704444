package dev.kvorum.node;

import dev.kvorum.backup.restore.RestoreMarks;
import dev.kvorum.config.NodeStartException;
import dev.kvorum.membership.Membership;
import dev.kvorum.topology.Topology;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows whether the topology orders that the cluster is restored from its founding on. */
final class OrderedRestore {
  private static final Logger log = LoggerFactory.getLogger(OrderedRestore.class);

  private final Membership membership;
  private final RestoreMarks marks;
  private final Executor background;

  /**
   * The orders of one node.
   *
   * @param background runs tasks that may block
   */
  OrderedRestore(Membership membership, RestoreMarks marks, Executor background) {
    this.membership = membership;
    this.marks = marks;
    this.background = background;
  }

  /**
   * Prepares a node that starts, before anyone reaches it. Blocks.
   *
   * @throws NodeStartException if it cannot be prepared
   */
  void begin() {
    try {
      Optional<String> ordered = membership.restore();
      if (ordered.isPresent()) {
        marks.order(ordered.get());
      }
    } catch (IOException | RuntimeException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Follows a topology that the source has reported, also if it is the same again. Does not block.
   */
  void follow(Topology reported) {
    // The object of another cluster may have the same name.
    if (reported.clusterId().equals(membership.first().clusterId())) {
      try {
        background.execute(this::followNow);
      } catch (RejectedExecutionException e) {
        // The node stops.
      }
    }
  }

  private void followNow() {
    try {
      if (!membership.noteRestore()) {
        marks.withdraw();
      }
    } catch (IOException | RuntimeException | Error e) {
      // The source will report again.
      log.error("The ordered restore cannot be followed", e);
    }
  }
}
