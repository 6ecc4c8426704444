package dev.kvorum.simulation;

import java.util.List;
import java.util.stream.Stream;

/** What patched production code calls in place of what it should: public, as it is elsewhere. */
public final class BrokenRules {
  private BrokenRules() {}

  /** No more than the first one. */
  public static <T> List<T> first(Stream<T> all) {
    return all.limit(1).toList();
  }
}
