package dev.kvorum.coordinator;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Lookup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers to a read and says whom to ask next. Pure.
 *
 * <p>Replicas are numbered in the order in which they should be asked. A read is settled once
 * {@code ack} of them have answered and the newest version among the answers is in hand as a whole
 * record.
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
  private final @Nullable Lookup[] answers;
  private final boolean[] asked;
  private int answered;
  private int failed;
  private @Nullable Versioned newest;

  ReadTracker(Quorum quorum) {
    this.ack = quorum.ack();
    this.answers = new Lookup[quorum.from()];
    this.asked = new boolean[quorum.from()];
  }

  /** The next replica to ask, from now on counted as asked; -1 when all have been. */
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
    return !asked[asked.length - 1];
  }

  /** How many replicas to ask so that enough may answer. */
  int missing() {
    int underWay = 0;
    for (int replica = 0; replica < asked.length; replica++) {
      underWay += asked[replica] && answers[replica] == null ? 1 : 0;
    }
    return Math.max(0, ack - answered - underWay);
  }

  /**
   * Takes a replica's answer; one that was asked for the record after its version answers twice.
   */
  void on(int replica, Lookup answer) {
    Lookup before = answers[replica];
    if (before != null) {
      count(before, -1);
    }
    answers[replica] = answer;
    count(answer, 1);
    if (answer instanceof Lookup.Found found
        && (newest == null || found.record().version().isNewerThan(newest.version()))) {
      newest = found.record();
    }
  }

  private void count(Lookup answer, int by) {
    if (answer instanceof Lookup.Unknown) {
      failed += by;
    } else {
      answered += by;
    }
  }

  Standing standing() {
    if (failed > answers.length - ack) {
      return Standing.FAILED;
    }
    if (answered < ack) {
      return Standing.PENDING;
    }
    return holder() < 0 ? Standing.SETTLED : Standing.RECORD_MISSING;
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

  private List<Integer> answered(boolean withNewest) {
    List<Integer> chosen = new ArrayList<>(0);
    for (int replica = 0; replica < answers.length && newest != null; replica++) {
      Lookup answer = answers[replica];
      boolean known = answer != null && !(answer instanceof Lookup.Unknown);
      if (known && newest.version().isNewerThan(version(replica)) != withNewest) {
        chosen.add(replica);
      }
    }
    return chosen;
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
