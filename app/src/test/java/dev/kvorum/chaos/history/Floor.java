package dev.kvorum.chaos.history;

import dev.kvorum.chaos.history.Operation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The least that a key can be at: what everybody who asks from now on has to see, or something
 * newer.
 *
 * @param version of the newest write that was acknowledged or read
 * @param passed whether something newer hid it already: a read found nothing where it had been
 * @param by the operation that showed so
 */
record Floor(String version, boolean passed, Operation by) {

  /** The higher of two; a write rather than a read of it, for it says more when it is lost. */
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
