package dev.kvorum.verifier;

import org.jspecify.annotations.Nullable;

/**
 * The lower bound of a key: every later read has to see this version, or a newer one, and every
 * later write has to be above it. Versions are compared as text, which is what a client of the API
 * can do. The verifier's keys and the checker of chaos decide by it what is lost.
 *
 * @param version of the newest write that was acknowledged or read
 * @param passed whether something newer replaced it already: a read found nothing where it had been
 * @param written whether the write itself showed so, rather than a read
 * @param by what showed so
 * @param <T> how its user names that
 */
public record Floor<T>(String version, boolean passed, boolean written, T by) {

  /**
   * The higher of two; a write is preferred to a read of it, since it explains more when it is
   * lost.
   */
  public static <T> Floor<T> higher(@Nullable Floor<T> one, Floor<T> other) {
    if (one == null) {
      return other;
    }
    int order = other.version.compareTo(one.version);
    if (order == 0 && one.passed == other.passed) {
      return other.written && !one.written ? other : one;
    }
    return order > 0 || (order == 0 && other.passed) ? other : one;
  }

  /** Whether a read that sees this version sees something older. */
  public boolean isAbove(String read) {
    int order = version.compareTo(read);
    return order > 0 || (order == 0 && passed);
  }

  /** Whether a later write may be acknowledged with this version. */
  public boolean isBelow(String acknowledged) {
    return version.compareTo(acknowledged) < 0;
  }
}
