package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.ReplicaPlan;
import dev.kvorum.storage.Lookup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers to a read and says whom to ask next. Pure.
 *
 * <p>Replicas are numbered in the order in which they should be asked. A read is settled once
 * {@code ack} of them have answered, of either set where the members change, and the newest version
 * among the answers is in hand as a whole record.
 */
final class ReadTracker {
  /** Where a read stands. */
  enum Standing {
    /** Answers are missing. */
    PENDING,
    /** Enough answers; {@link #newest} is what they say. */
    SETTLED,
    /** Enough answers, but the newest record has to be fetched from {@link #holder}. */
    RECORD_MISSING,
    /** Enough answers cannot be had any more. */
    FAILED
  }

  private final int ack;
  private final List<List<Integer>> sets;
  private final @Nullable Lookup[] answers;
  private final boolean[] asked;
  private @Nullable Versioned newest;

  ReadTracker(ReplicaPlan plan, int ack) {
    this.ack = ack;
    this.sets = plan.sets();
    this.answers = new Lookup[plan.size()];
    this.asked = new boolean[plan.size()];
  }

  /** The next replica to ask so that enough may answer, from now on counted as asked; or -1. */
  int askMissing() {
    for (int replica = 0; replica < asked.length; replica++) {
      if (!asked[replica] && isMissing(replica)) {
        asked[replica] = true;
        return replica;
      }
    }
    return -1;
  }

  private boolean isMissing(int replica) {
    for (int i = 0; i < sets.size(); i++) {
      List<Integer> set = sets.get(i);
      if (set.contains(replica) && answered(set) + underWay(set) < ack) {
        return true;
      }
    }
    return false;
  }

  /** The next replica, from now on counted as asked; -1 when all have been. */
  int askNext() {
    for (int replica = 0; replica < asked.length; replica++) {
      if (!asked[replica]) {
        asked[replica] = true;
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
  void on(int replica, Lookup answer) {
    answers[replica] = answer;
    if (answer instanceof Lookup.Found found
        && (newest == null || found.record().version().isNewerThan(newest.version()))) {
      newest = found.record();
    }
  }

  Standing standing() {
    boolean pending = false;
    for (int i = 0; i < sets.size(); i++) {
      List<Integer> set = sets.get(i);
      if (failed(set) > set.size() - ack) {
        return Standing.FAILED;
      }
      pending |= answered(set) < ack;
    }
    if (pending) {
      return Standing.PENDING;
    }
    return holder() < 0 ? Standing.SETTLED : Standing.RECORD_MISSING;
  }

  private int answered(List<Integer> set) {
    int answered = 0;
    for (int i = 0; i < set.size(); i++) {
      Lookup answer = answers[set.get(i)];
      answered += answer != null && !(answer instanceof Lookup.Unknown) ? 1 : 0;
    }
    return answered;
  }

  private int failed(List<Integer> set) {
    int failed = 0;
    for (int i = 0; i < set.size(); i++) {
      failed += answers[set.get(i)] instanceof Lookup.Unknown ? 1 : 0;
    }
    return failed;
  }

  private int underWay(List<Integer> set) {
    int underWay = 0;
    for (int i = 0; i < set.size(); i++) {
      int replica = set.get(i);
      underWay += asked[replica] && answers[replica] == null ? 1 : 0;
    }
    return underWay;
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

  /** Whether the whole record has come from somewhere. */
  boolean hasRecord() {
    return newest != null;
  }

  /** Replicas that answered with something older than the newest record. */
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
    Lookup answer = answers[replica];
    return newest != null
        && answer != null
        && !(answer instanceof Lookup.Unknown)
        && newest.version().isNewerThan(version(replica)) != withNewest;
  }

  /** Replicas that have said nothing: first those not asked, then those too slow. */
  List<Integer> unheard() {
    List<Integer> unheard = new ArrayList<>();
    for (boolean slow : new boolean[] {false, true}) {
      for (int replica = 0; replica < answers.length; replica++) {
        if (answers[replica] == null && asked[replica] == slow) {
          unheard.add(replica);
        }
      }
    }
    return unheard;
  }

  private Version version(int replica) {
    return switch (answers[replica]) {
      case null -> Version.NONE;
      case Lookup.Found found -> found.record().version();
      case Lookup.FoundVersion found -> found.version();
      case Lookup.Absent absent -> Version.NONE;
      case Lookup.Unknown unknown -> Version.NONE;
    };
  }

  /** What a replica said, in a word. */
  String word(int replica) {
    return switch (answers[replica]) {
      case null -> asked[replica] ? "pending" : "not-asked";
      case Lookup.Found found -> "found";
      case Lookup.FoundVersion found -> "found";
      case Lookup.Absent absent -> "absent";
      case Lookup.Unknown unknown -> unknown.reason().word();
    };
  }
}
