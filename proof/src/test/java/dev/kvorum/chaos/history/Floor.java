package dev.kvorum.chaos.history;

import dev.kvorum.chaos.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The lower bound of a key: every later read has to see this version, or a newer one.
 *
 * @param version of the newest write that was acknowledged or read
 * @param passed whether something newer replaced it already: a read found nothing where it had been
 * @param by the operation that showed so
 */
record Floor(String version, boolean passed, Operation by) {

  /**
   * The higher of two; a write is preferred to a read of it, since it explains more when it is
   * lost.
   */
  static Floor higher(@Nullable Floor one, Floor other) {
    if (one == null) {
      return other;
    }
    int order = other.version.compareTo(one.version);
    if (order == 0 && one.passed == other.passed) {
      return other.by.isWrite() && !one.by.isWrite() ? other : one;
    }
    return order > 0 || (order == 0 && other.passed) ? other : one;
  }

  boolean isAbove(String read) {
    int order = version.compareTo(read);
    return order > 0 || (order == 0 && passed);
  }

  boolean isDelete() {
    return by.kind() == Kind.DELETE;
  }
}
