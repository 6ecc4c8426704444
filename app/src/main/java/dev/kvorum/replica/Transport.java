package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;

/**
 * Sends requests to peers, from one event loop. Calls and replies happen on that loop.
 *
 * <p>A simulator replaces the network by another implementation of this interface.
 */
public interface Transport {
  /**
   * Sends a request. Immediate rejections, for example for a member without a connection, are
   * replied before the call returns. A member that never replies leaves the waiter without a reply:
   * the caller enforces the timeout and then stops waiting.
   *
   * @param epoch epoch in which the request was planned; a member with a newer one rejects it
   * @param timeoutMillis time for the member, in milliseconds, after which it drops the work
   */
  Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter);

  /** Returns whether there is a connection to a member. Safe for any thread. */
  boolean isConnected(MemberId member);

  /**
   * Returns whether the first attempt to connect to a member has ended, successfully or not. Safe
   * for any thread.
   */
  boolean isKnown(MemberId member);

  /** Sends heartbeats and reconnects. Call it on the loop every few milliseconds. */
  void tick();

  /**
   * Returns whether a member should be asked last: not connected, or without a reply for too long.
   */
  boolean isSuspect(MemberId member);

  /**
   * The 95th percentile of this member's read latency, in nanoseconds; the shortest wait before a
   * hedge for this node itself, whose disk may be slow.
   */
  long slowReadNanos(MemberId member);

  /** How many reads of this member have been timed; its latency is unknown while 0. */
  default long timedReads(MemberId member) {
    return 0;
  }

  /** A request in flight. */
  interface Call {
    /** A call that has ended. */
    Call DONE = () -> {};

    /** Stops waiting and notifies the member, if the call has not ended. */
    void cancel();

    /** Stops waiting because the deadline has passed, and notifies the member. */
    default void expire() {
      cancel();
    }
  }
}
