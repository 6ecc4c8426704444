package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.storage.WriteResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the replies to one attempt at a write and derives its state. Pure. During a membership
 * change there are two sets of replicas, and each needs its own acknowledgements.
 *
 * <p>The first attempt of a write may find newer versions, from clocks that run ahead. If fewer
 * than {@code ack} replicas stored it then, it is repeated once with a version above the newest one
 * found. Assume that {@code ack} is a majority. Every write that a majority acknowledged before
 * this one began then has a replica among any {@code ack} replies, so the second attempt has a
 * version above all of them. A write that supersedes the second attempt ran concurrently with it.
 * The second attempt then counts as stored and overwritten.
 */
final class WriteTracker {
  /** State of an attempt. */
  enum Status {
    /** Replies are missing. */
    PENDING,
    /** Enough replicas have the write. */
    ACKNOWLEDGED,
    /** Repeat with a version above {@link #newestSeen}. */
    SUPERSEDED,
    /** Enough replicas can no longer confirm. */
    FAILED
  }

  private final int ack;
  private final boolean lastAttempt;
  private final List<List<Integer>> sets;
  private final @Nullable WriteResult[] replies;
  private Version newestSeen = Version.NONE;

  WriteTracker(ReplicaPlan plan, int ack, boolean lastAttempt) {
    this.ack = ack;
    this.lastAttempt = lastAttempt;
    this.sets = plan.sets();
    this.replies = new WriteResult[plan.size()];
  }

  /** Adds the reply of a replica; ignores a second reply of the same replica. */
  void on(int replica, WriteResult reply) {
    if (replies[replica] != null) {
      return;
    }
    replies[replica] = reply;
    if (reply instanceof WriteResult.Superseded(Version by) && by.isNewerThan(newestSeen)) {
      newestSeen = by;
    }
  }

  Status status() {
    Status least = Status.ACKNOWLEDGED;
    for (int i = 0; i < sets.size(); i++) {
      Status status = status(sets.get(i));
      if (status == Status.FAILED) {
        return status;
      }
      // Pending outranks superseded: repeat only once no set is pending.
      if (status == Status.PENDING || least == Status.ACKNOWLEDGED) {
        least = status;
      }
    }
    return least;
  }

  private Status status(List<Integer> set) {
    int stored = 0;
    int superseded = 0;
    int rejected = 0;
    for (int i = 0; i < set.size(); i++) {
      switch (replies[set.get(i)]) {
        case null -> {}
        case WriteResult.Stored s -> stored++;
        case WriteResult.Superseded s -> superseded++;
        case WriteResult.Rejected r -> rejected++;
      }
    }
    if (stored >= ack) {
      return Status.ACKNOWLEDGED;
    }
    if (stored + superseded >= ack) {
      return lastAttempt ? Status.ACKNOWLEDGED : Status.SUPERSEDED;
    }
    return rejected > set.size() - ack ? Status.FAILED : Status.PENDING;
  }

  /** Returns whether a version that supersedes this attempt counts as later. */
  boolean isLastAttempt() {
    return lastAttempt;
  }

  /** The newest version that superseded this attempt. */
  Version newestSeen() {
    return newestSeen;
  }

  /** Returns whether a replica rejected the write. */
  boolean isRejected(int replica) {
    return replies[replica] instanceof WriteResult.Rejected;
  }

  /** Returns whether a replica has not replied yet. */
  boolean isOpen(int replica) {
    return replies[replica] == null;
  }

  /** The outcome of a replica, as a label. */
  String label(int replica) {
    return switch (replies[replica]) {
      case null -> "pending";
      case WriteResult.Stored s -> "stored";
      case WriteResult.Superseded s -> "superseded";
      case WriteResult.Rejected r -> r.reason().label();
    };
  }
}
