package dev.kvorum.replica;

import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;

/**
 * The way to the other members, as seen from one event loop. Calls and answers happen on that loop.
 *
 * <p>The seam at which a simulator takes the place of the network.
 */
public interface Transport {
  /**
   * Sends a request. Refusals that are known at once, such as a member without a connection, are
   * answered before the call returns. A member that never answers leaves the waiter unanswered: the
   * caller watches the time, and stops waiting when it is over.
   *
   * @param epoch in which the request was planned; a member with a newer one refuses it
   * @param timeoutMillis what the member may take; it drops the work when this is over
   */
  Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter);

  /** Whether there is a connection to a member. Any thread may ask. */
  boolean isConnected(MemberId member);

  /** Whether the first attempt to connect to a member has ended, well or not; for any thread. */
  boolean isKnown(MemberId member);

  /** Heartbeats and reconnects; to be called on the loop every few milliseconds. */
  void tick();

  /** Whether a member is better asked last: not connected, or without a reply for too long. */
  boolean isSuspect(MemberId member);

  /** How long a read of this member takes at its 95th percentile, in nanoseconds. */
  long slowReadNanos(MemberId member);

  /** How many reads of this member have been timed; nothing is known of its latency while 0. */
  default long timedReads(MemberId member) {
    return 0;
  }

  /** A request under way. */
  interface Call {
    /** A call that is over. */
    Call DONE = () -> {};

    /** Stops waiting and notifies the member, if there is still something to stop. */
    void cancel();

    /** Stops waiting because the time is over, and notifies the member. */
    default void expire() {
      cancel();
    }
  }
}
