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
 * Counts the replies to a read and selects the next replica to ask. Pure.
 *
 * <p>Replicas are numbered in the order in which the read asks them. A read is settled once {@code
 * ack} replicas have replied and the newest version among the replies is present as a complete
 * record. During a membership change, each of the two sets needs {@code ack} replies.
 */
final class ReadTracker {
  /** State of a read. */
  enum Status {
    /** Replies are missing. */
    PENDING,
    /** Enough replies; {@link #newest} is the result. */
    COMPLETE,
    /** Enough replies, but the newest record has to be fetched from {@link #holder}. */
    RECORD_MISSING,
    /** Enough replies can no longer arrive. */
    FAILED
  }

  private final int ack;
  private final List<List<Integer>> sets;
  // Counts per set, here and in the next two: replicas that replied, that failed, and that have not
  // replied yet.
  private final int[] replied;
  private final int[] failed;
  private final int[] underWay;
  private final @Nullable ReadResult[] replies;
  private final boolean[] asked;
  private @Nullable Versioned newest;

  ReadTracker(ReplicaPlan plan, int ack) {
    this.ack = ack;
    this.sets = plan.sets();
    this.replied = new int[sets.size()];
    this.failed = new int[sets.size()];
    this.underWay = new int[sets.size()];
    this.replies = new ReadResult[plan.size()];
    this.asked = new boolean[plan.size()];
  }

  /** The next replica to ask so that enough can reply, or -1. Marks it as asked. */
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
    for (int set = 0; set < replied.length; set++) {
      if (replied[set] + underWay[set] < ack && isIn(set, replica)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(int set, int replica) {
    return replied.length == 1 || sets.get(set).contains(replica);
  }

  private void ask(int replica) {
    asked[replica] = true;
    if (replies[replica] == null) {
      count(underWay, replica, 1);
    }
  }

  private void count(int[] bySet, int replica, int change) {
    for (int set = 0; set < bySet.length; set++) {
      bySet[set] += isIn(set, replica) ? change : 0;
    }
  }

  /** The next replica in order, or -1 when all have been asked. Marks it as asked. */
  int askNext() {
    for (int replica = 0; replica < asked.length; replica++) {
      if (!asked[replica]) {
        ask(replica);
        return replica;
      }
    }
    return -1;
  }

  /** Returns whether there is a replica that has not been asked. */
  boolean hasSpare() {
    for (boolean one : asked) {
      if (!one) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds a replica's reply. A replica that is asked for the record after its version replies twice.
   */
  void on(int replica, ReadResult reply) {
    ReadResult before = replies[replica];
    if (before != null) {
      count(before instanceof ReadResult.Unknown ? failed : replied, replica, -1);
    } else if (asked[replica]) {
      count(underWay, replica, -1);
    }
    count(reply instanceof ReadResult.Unknown ? failed : replied, replica, 1);
    replies[replica] = reply;
    if (reply instanceof ReadResult.Found found
        && (newest == null || found.record().version().isNewerThan(newest.version()))) {
      newest = found.record();
    }
  }

  Status status() {
    boolean pending = false;
    for (int set = 0; set < replied.length; set++) {
      if (failed[set] > sets.get(set).size() - ack) {
        return Status.FAILED;
      }
      pending |= replied[set] < ack;
    }
    if (pending) {
      return Status.PENDING;
    }
    return holder() < 0 ? Status.COMPLETE : Status.RECORD_MISSING;
  }

  /** A replica with a newer version than the record in hand, or -1. */
  int holder() {
    Version best = newest == null ? Version.NONE : newest.version();
    int holder = -1;
    for (int replica = 0; replica < replies.length; replica++) {
      Version version = version(replica);
      if (version.isNewerThan(best)) {
        best = version;
        holder = replica;
      }
    }
    return holder;
  }

  /** The newest record among the replies, or null when no reply has one. */
  @Nullable Versioned newest() {
    return newest;
  }

  /** Returns whether a replica has sent the complete record. */
  boolean hasRecord() {
    return newest != null;
  }

  /** Replicas that replied with an older record than the newest, or with a corrupted one. */
  List<Integer> stale() {
    return replied(false);
  }

  /** Replicas that replied with the newest record or its version. */
  List<Integer> holders() {
    return replied(true);
  }

  /** Returns whether {@link #stale} is not empty. */
  boolean hasStale() {
    for (int replica = 0; replica < replies.length; replica++) {
      if (hasReplied(replica, false)) {
        return true;
      }
    }
    return false;
  }

  private List<Integer> replied(boolean withNewest) {
    List<Integer> chosen = new ArrayList<>(0);
    for (int replica = 0; replica < replies.length; replica++) {
      if (hasReplied(replica, withNewest)) {
        chosen.add(replica);
      }
    }
    return chosen;
  }

  private boolean hasReplied(int replica, boolean withNewest) {
    ReadResult reply = replies[replica];
    if (newest == null || reply == null) {
      return false;
    }
    return reply instanceof ReadResult.Unknown unknown
        ? unknown.reason() == RejectReason.CHECKSUM_MISMATCH && !withNewest
        : newest.version().isNewerThan(version(replica)) != withNewest;
  }

  /** Replicas without a reply: those not asked first, then those that are too slow. */
  List<Integer> withoutReply() {
    List<Integer> withoutReply = new ArrayList<>();
    for (boolean slow : new boolean[] {false, true}) {
      for (int replica = 0; replica < replies.length; replica++) {
        if (replies[replica] == null && asked[replica] == slow) {
          withoutReply.add(replica);
        }
      }
    }
    return withoutReply;
  }

  private Version version(int replica) {
    return switch (replies[replica]) {
      case null -> Version.NONE;
      case ReadResult.Found found -> found.record().version();
      case ReadResult.FoundVersion found -> found.version();
      case ReadResult.Absent absent -> Version.NONE;
      case ReadResult.Unknown unknown -> Version.NONE;
    };
  }

  /** The outcome of a replica, as a label. */
  String label(int replica) {
    ReadResult reply = replies[replica];
    return reply != null ? label(reply) : asked[replica] ? "pending" : "not-asked";
  }

  /** A replica's reply, as a label. */
  static String label(ReadResult reply) {
    return switch (reply) {
      case ReadResult.Found found -> "found";
      case ReadResult.FoundVersion found -> "found";
      case ReadResult.Absent absent -> "absent";
      case ReadResult.Unknown unknown -> unknown.reason().label();
    };
  }
}
