package dev.kvorum.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key with one writer, which numbers its values and sends one request at a time. What a read may
 * return follows from a few numbers, which are all that is kept: a load may last for days.
 */
public final class OwnKey {
  /**
   * How long after its client gave it up a write may still get its version: 4 s (ADR 0014), by a
   * clock that is 500 ms ahead.
   */
  private static final long LATE_MAX_NANOS = Duration.ofMillis(4_500).toNanos();

  /** Classifies what a request has returned. Names are those of the rules that chaos checks. */
  public enum Verdict {
    /** What is permitted. */
    RIGHT,
    /** An acknowledged or read value is missing, or an older one came back. */
    LOST_WRITE,
    /** A value that was never written to this key. */
    PHANTOM,
    /** A write was acknowledged with a version that is not above what came before it. */
    WRITE_BELOW_OLDER,
    /** Two values under one version. */
    VERSION_SHARED,
    /** An acknowledged value under another version. */
    VERSION_CHANGED
  }

  private record Unanswered(long number, long endNanos) {}

  private final String name;
  private long attempted;
  private long acknowledged;
  private @Nullable Floor<Long> floor;

  /** Writes that may still be above later ones: of a few seconds. */
  private List<Unanswered> late = List.of();

  public OwnKey(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isWritten() {
    return attempted > 0;
  }

  /** Returns the number of the next value. */
  public long next() {
    return ++attempted;
  }

  /** Records that the value with this number may be stored, now or later. */
  public void unanswered(long number, long endNanos) {
    List<Unanswered> kept = new ArrayList<>(late);
    // Whatever is acknowledged after them is above them.
    kept.removeIf(write -> write.number > acknowledged && isBefore(write, endNanos));
    kept.add(new Unanswered(number, endNanos));
    late = kept;
  }

  /** Checks a write that was acknowledged: no later read may return an older value. */
  public Verdict acknowledged(long number, String version, long startNanos) {
    if (!late.isEmpty()) {
      late = late.stream().filter(write -> !isBefore(write, startNanos)).toList();
    }
    acknowledged = number;
    if (floor != null && !floor.isBelow(version)) {
      return Verdict.WRITE_BELOW_OLDER;
    }
    floor = new Floor<>(version, false, true, number);
    return Verdict.RIGHT;
  }

  private static boolean isBefore(Unanswered write, long nanos) {
    return nanos - write.endNanos > LATE_MAX_NANOS;
  }

  /** Checks a read at quorum that has found nothing. */
  public Verdict missed() {
    return floor == null ? Verdict.RIGHT : Verdict.LOST_WRITE;
  }

  /** Checks a read at quorum, which has returned the value with this number. */
  public Verdict seen(long number, String version) {
    if (number > attempted || number < 1) {
      return Verdict.PHANTOM;
    }
    Verdict verdict = floor == null ? Verdict.RIGHT : against(floor, number, version);
    if (verdict == Verdict.RIGHT) {
      floor = Floor.higher(floor, new Floor<>(version, false, false, number));
    }
    return verdict;
  }

  private Verdict against(Floor<Long> bound, long number, String version) {
    if (bound.isAbove(version)) {
      return Verdict.LOST_WRITE;
    }
    boolean isSame = bound.version().equals(version);
    if (number == bound.by()) {
      // One that was not acknowledged may have been tried twice.
      return isSame || !bound.written() ? Verdict.RIGHT : Verdict.VERSION_CHANGED;
    }
    if (isSame) {
      return Verdict.VERSION_SHARED;
    }
    return number > acknowledged || late.stream().anyMatch(write -> write.number == number)
        ? Verdict.RIGHT
        : Verdict.LOST_WRITE;
  }

  @Override
  public String toString() {
    String least = floor == null ? "" : "at least " + floor.by() + " " + floor.version() + ", ";
    return name + " (" + least + "at most " + attempted + ")";
  }
}
