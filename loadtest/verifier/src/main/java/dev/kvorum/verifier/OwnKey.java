package dev.kvorum.verifier;

import java.util.OptionalLong;

/**
 * A key with one writer, which numbers its values. The values that a read may return follow from
 * the acknowledged writes and the earlier reads.
 */
final class OwnKey {
  /** Classifies what a read has returned. */
  enum Verdict {
    /** A permitted value. */
    RIGHT,
    /** An acknowledged or read value is missing, or an older one came back. */
    LOST,
    /** A value that was never written to this key. */
    INVENTED
  }

  private final String name;
  private long attempted;
  private long floor;

  OwnKey(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isWritten() {
    return attempted > 0;
  }

  /** Returns the number of the next value. */
  long next() {
    return ++attempted;
  }

  /** Records that the value with this number was acknowledged: no read may return an older one. */
  void acknowledged(long number) {
    floor = Math.max(floor, number);
  }

  /** Checks a read at quorum, which has returned this number or no value. */
  Verdict seen(OptionalLong number) {
    long shown = number.orElse(0);
    if (shown > attempted || (number.isPresent() && shown < 1)) {
      return Verdict.INVENTED;
    }
    if (shown < floor) {
      return Verdict.LOST;
    }
    floor = shown;
    return Verdict.RIGHT;
  }

  @Override
  public String toString() {
    return name + " (at least " + floor + ", at most " + attempted + ")";
  }
}
