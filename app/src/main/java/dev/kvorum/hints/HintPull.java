package dev.kvorum.hints;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Replicas;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Fetches the hints for this starting node from its peers. It asks each peer until the peer has
 * none left, cannot be reached, or time is up. Confined to one event loop.
 */
public final class HintPull {
  private final Replicas replicas;
  private final long pageTimeoutNanos;
  private final long deadlineNanos;
  private final LongSupplier nanoTime;
  private final Runnable done;
  private int open;

  /**
   * Creates a pull; {@link #start} begins it.
   *
   * @param pageTimeoutNanos longest time for one page of a peer
   * @param deadlineNanos time at which the pull ends
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

  /** Asks all peers. Call it on the loop. */
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
