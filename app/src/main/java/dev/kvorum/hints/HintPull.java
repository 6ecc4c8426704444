package dev.kvorum.hints;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A starting node's round to its peers: each is asked for the hints it keeps for this node, until
 * it has none left, cannot be reached, or time is up. Lives on one event loop.
 */
public final class HintPull {
  private final Replicas replicas;
  private final long pageTimeoutNanos;
  private final long deadlineNanos;
  private final LongSupplier nanoTime;
  private final Runnable done;
  private int open;

  /**
   * A pull that has not begun.
   *
   * @param pageTimeoutNanos how long a peer may take for one page
   * @param deadlineNanos when to stop asking
   * @param done run once, after the last peer
   */
  public HintPull(
      Replicas replicas,
      long pageTimeoutNanos,
      long deadlineNanos,
      LongSupplier nanoTime,
      Runnable done) {
    this.replicas = replicas;
    this.pageTimeoutNanos = pageTimeoutNanos;
    this.deadlineNanos = deadlineNanos;
    this.nanoTime = nanoTime;
    this.done = done;
  }

  /** Asks all peers; to be called on the loop. */
  public void start(List<MemberId> peers) {
    open = 1;
    for (MemberId peer : peers) {
      open++;
      ask(peer);
    }
    oneLess();
  }

  private void ask(MemberId peer) {
    long now = nanoTime.getAsLong();
    if (now - deadlineNanos >= 0) {
      oneLess();
      return;
    }
    long deadline = now + Math.min(pageTimeoutNanos, deadlineNanos - now);
    replicas.ask(
        peer, new ReplicaRequest.PullHints(replicas.self()), deadline, reply -> on(peer, reply));
  }

  private void on(MemberId peer, ReplicaReply reply) {
    if (reply instanceof ReplicaReply.HintsDelivered some
        && some.remaining() > 0
        && some.delivered() > 0) {
      ask(peer);
    } else {
      oneLess();
    }
  }

  private void oneLess() {
    open--;
    if (open == 0) {
      done.run();
    }
  }
}
