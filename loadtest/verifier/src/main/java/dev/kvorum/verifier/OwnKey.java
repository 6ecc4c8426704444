package dev.kvorum.verifier;

import java.util.OptionalLong;

/**
 * A key with one writer, which numbers its values: what a read may show follows from what was
 * acknowledged and what was seen.
 *
 * <p>Two numbers per key check a run of any length in constant memory and without a library; the
 * checker of {@code dev.kvorum.chaos.history}, which also covers several writers, deletes, times to
 * live and versions, needs every operation of the run.
 */
final class OwnKey {
  /** What a read has shown. */
  enum Verdict {
    /** Something it may show. */
    RIGHT,
    /** An acknowledged or seen value is gone, or an older one came back. */
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

  /** The number of the next value. */
  long next() {
    return ++attempted;
  }

  /** The value with this number was acknowledged: no read may show an older one. */
  void acknowledged(long number) {
    floor = Math.max(floor, number);
  }

  /** A read at quorum has shown this number, or that there is no value. */
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
