package dev.kvorum.coordinator;

import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.storage.ReadResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the replies to a read and selects the replica to ask next. Pure.
 *
 * <p>Replicas are numbered in the order in which they should be asked. A read is complete once
 * {@code ack} of them have answered, of either set where the members change, and the newest version
 * among the answers is in hand as a complete record.
 */
final class ReadTracker {
  /** Where a read stands. */
  enum Standing {
    /** Answers are missing. */
    PENDING,
    /** Enough replies; {@link #newest} is the result. */
    COMPLETE,
    /** Enough answers, but the newest record has to be fetched from {@link #holder}. */
    RECORD_MISSING,
    /** Enough answers cannot be had any more. */
    FAILED
  }

  private final int ack;
  private final List<List<Integer>> sets;
  // By set, as are the next two: replicas that answered, that failed, and that owe an answer.
  private final int[] answered;
  private final int[] failed;
  private final int[] underWay;
  private final @Nullable ReadResult[] answers;
  private final boolean[] asked;
  private @Nullable Versioned newest;

  ReadTracker(ReplicaPlan plan, int ack) {
    this.ack = ack;
    this.sets = plan.sets();
    this.answered = new int[sets.size()];
    this.failed = new int[sets.size()];
    this.underWay = new int[sets.size()];
    this.answers = new ReadResult[plan.size()];
    this.asked = new boolean[plan.size()];
  }

  /** The next replica to ask so that enough may answer, from now on counted as asked; or -1. */
  int askMissing() {
    for (int replica = 0; replica < asked.length; replica++) {
      if (!asked[replica] && isMissing(replica)) {
        ask(replica);
        return replica;
      }
    }
    return -1;
  }

  private boolean isMissing(int replica) {
    for (int set = 0; set < answered.length; set++) {
      if (answered[set] + underWay[set] < ack && isIn(set, replica)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(int set, int replica) {
    return answered.length == 1 || sets.get(set).contains(replica);
  }

  private void ask(int replica) {
    asked[replica] = true;
    if (answers[replica] == null) {
      count(underWay, replica, 1);
    }
  }

  private void count(int[] bySet, int replica, int change) {
    for (int set = 0; set < bySet.length; set++) {
      bySet[set] += isIn(set, replica) ? change : 0;
    }
  }

  /** The next replica, from now on counted as asked; -1 when all have been. */
  int askNext() {
    for (int replica = 0; replica < asked.length; replica++) {
      if (!asked[replica]) {
        ask(replica);
        return replica;
      }
    }
    return -1;
  }

  /** Whether there is a replica that has not been asked. */
  boolean hasSpare() {
    for (boolean one : asked) {
      if (!one) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes a replica's answer; one that was asked for the record after its version answers twice.
   */
  void on(int replica, ReadResult answer) {
    ReadResult before = answers[replica];
    if (before != null) {
      count(before instanceof ReadResult.Unknown ? failed : answered, replica, -1);
    } else if (asked[replica]) {
      count(underWay, replica, -1);
    }
    count(answer instanceof ReadResult.Unknown ? failed : answered, replica, 1);
    answers[replica] = answer;
    if (answer instanceof ReadResult.Found found
        && (newest == null || found.record().version().isNewerThan(newest.version()))) {
      newest = found.record();
    }
  }

  Standing standing() {
    boolean pending = false;
    for (int set = 0; set < answered.length; set++) {
      if (failed[set] > sets.get(set).size() - ack) {
        return Standing.FAILED;
      }
      pending |= answered[set] < ack;
    }
    if (pending) {
      return Standing.PENDING;
    }
    return holder() < 0 ? Standing.COMPLETE : Standing.RECORD_MISSING;
  }

  /** A replica that has a newer version than the record in hand, or -1. */
  int holder() {
    Version best = newest == null ? Version.NONE : newest.version();
    int holder = -1;
    for (int replica = 0; replica < answers.length; replica++) {
      Version version = version(replica);
      if (version.isNewerThan(best)) {
        best = version;
        holder = replica;
      }
    }
    return holder;
  }

  /** The newest record among the answers, or null when none of them has one. */
  @Nullable Versioned newest() {
    return newest;
  }

  /** Whether a replica has sent the complete record. */
  boolean hasRecord() {
    return newest != null;
  }

  /**
   * Replicas that answered with something older than the newest record, or hold a corrupted one.
   */
  List<Integer> stale() {
    return answered(false);
  }

  /** Replicas that answered with the newest record or its version. */
  List<Integer> holders() {
    return answered(true);
  }

  /** Whether {@link #stale} has any. */
  boolean hasStale() {
    for (int replica = 0; replica < answers.length; replica++) {
      if (hasAnswered(replica, false)) {
        return true;
      }
    }
    return false;
  }

  private List<Integer> answered(boolean withNewest) {
    List<Integer> chosen = new ArrayList<>(0);
    for (int replica = 0; replica < answers.length; replica++) {
      if (hasAnswered(replica, withNewest)) {
        chosen.add(replica);
      }
    }
    return chosen;
  }

  private boolean hasAnswered(int replica, boolean withNewest) {
    ReadResult answer = answers[replica];
    if (newest == null || answer == null) {
      return false;
    }
    return answer instanceof ReadResult.Unknown unknown
        ? unknown.reason() == RejectReason.CHECKSUM_MISMATCH && !withNewest
        : newest.version().isNewerThan(version(replica)) != withNewest;
  }

  /** Replicas without a reply: first those not asked, then those too slow. */
  List<Integer> withoutReply() {
    List<Integer> withoutReply = new ArrayList<>();
    for (boolean slow : new boolean[] {false, true}) {
      for (int replica = 0; replica < answers.length; replica++) {
        if (answers[replica] == null && asked[replica] == slow) {
          withoutReply.add(replica);
        }
      }
    }
    return withoutReply;
  }

  private Version version(int replica) {
    return switch (answers[replica]) {
      case null -> Version.NONE;
      case ReadResult.Found found -> found.record().version();
      case ReadResult.FoundVersion found -> found.version();
      case ReadResult.Absent absent -> Version.NONE;
      case ReadResult.Unknown unknown -> Version.NONE;
    };
  }

  /** The outcome of a replica, as a label. */
  String label(int replica) {
    return switch (answers[replica]) {
      case null -> asked[replica] ? "pending" : "not-asked";
      case ReadResult.Found found -> "found";
      case ReadResult.FoundVersion found -> "found";
      case ReadResult.Absent absent -> "absent";
      case ReadResult.Unknown unknown -> unknown.reason().label();
    };
  }
}
