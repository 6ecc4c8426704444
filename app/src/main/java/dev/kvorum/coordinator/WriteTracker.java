package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.storage.WriteResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the replies to one attempt at a write and derives its state. Pure. While the members
 * change there are two sets of replicas, and either needs its acknowledgements.
 *
 * <p>The first attempt of a write may find newer versions, from clocks that run ahead. If fewer
 * than {@code ack} replicas stored it then, it is tried once more above the newest version found.
 * Every write acknowledged by a majority before this one began is on one of any {@code ack} answers
 * that are a majority, so the second attempt is above all of them; what supersedes the second
 * attempt ran beside it, and then counts as stored: the value was there, and overwritten.
 */
final class WriteTracker {
  /** Where a write stands. */
  enum Standing {
    /** Answers are missing. */
    PENDING,
    /** Enough replicas hold it. */
    ACKNOWLEDGED,
    /** To be tried again above {@link #newestMet}. */
    SUPERSEDED,
    /** Enough replicas cannot be reached any more. */
    FAILED
  }

  private final int ack;
  private final boolean lastAttempt;
  private final List<List<Integer>> sets;
  private final @Nullable WriteResult[] answers;
  private Version newestMet = Version.NONE;

  WriteTracker(ReplicaPlan plan, int ack, boolean lastAttempt) {
    this.ack = ack;
    this.lastAttempt = lastAttempt;
    this.sets = plan.sets();
    this.answers = new WriteResult[plan.size()];
  }

  /** Takes the answer of a replica; a second one of the same replica is ignored. */
  void on(int replica, WriteResult answer) {
    if (answers[replica] != null) {
      return;
    }
    answers[replica] = answer;
    if (answer instanceof WriteResult.Superseded(Version by) && by.isNewerThan(newestMet)) {
      newestMet = by;
    }
  }

  Standing standing() {
    Standing least = Standing.ACKNOWLEDGED;
    for (int i = 0; i < sets.size(); i++) {
      Standing standing = standing(sets.get(i));
      if (standing == Standing.FAILED) {
        return standing;
      }
      // Nothing is tried again before all sets have replied.
      if (standing == Standing.PENDING || least == Standing.ACKNOWLEDGED) {
        least = standing;
      }
    }
    return least;
  }

  private Standing standing(List<Integer> set) {
    int stored = 0;
    int superseded = 0;
    int refused = 0;
    for (int i = 0; i < set.size(); i++) {
      switch (answers[set.get(i)]) {
        case null -> {}
        case WriteResult.Stored s -> stored++;
        case WriteResult.Superseded s -> superseded++;
        case WriteResult.Refused r -> refused++;
      }
    }
    if (stored >= ack) {
      return Standing.ACKNOWLEDGED;
    }
    if (stored + superseded >= ack) {
      return lastAttempt ? Standing.ACKNOWLEDGED : Standing.SUPERSEDED;
    }
    return refused > set.size() - ack ? Standing.FAILED : Standing.PENDING;
  }

  /** The newest version that superseded this attempt. */
  Version newestMet() {
    return newestMet;
  }

  /** Whether a replica rejected the write. */
  boolean isRefused(int replica) {
    return answers[replica] instanceof WriteResult.Refused;
  }

  /** Whether nothing has come from a replica yet. */
  boolean isOpen(int replica) {
    return answers[replica] == null;
  }

  /** The outcome of a replica, as a label. */
  String label(int replica) {
    return switch (answers[replica]) {
      case null -> "pending";
      case WriteResult.Stored s -> "stored";
      case WriteResult.Superseded s -> "superseded";
      case WriteResult.Refused r -> r.reason().label();
    };
  }
}
