package dev.kvorum.chaos;

import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Violation;
import dev.kvorum.chaos.history.Violation.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Whether requests succeeded that had to. Some seconds after the nodes were hurt, a majority of
 * them is live, connected and complete, so that the others serve every request to a majority; in
 * peace all nodes serve all requests.
 */
final class Availability {
  /** In which a failure is detected, and a node notices that it was paused itself. */
  static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A busy machine holds up one or the other; what is wedged fails again and again. */
  private static final double FAILED_SHARE_MAX = 0.01;

  private static final int FAILED_MAX = 2;
  private static final int SHOWN = 5;

  private Availability() {}

  /**
   * Violations in the episodes and after them.
   *
   * @param endNanos end of the peace after the last episode
   */
  static List<Violation> violations(
      Collection<Operation> operations, List<Episode> episodes, long endNanos) {
    List<Violation> found = new ArrayList<>();
    long peace = 0;
    for (Episode episode : episodes) {
      check(found, operations, "in peace", peace, episode.begunNanos(), request -> true);
      check(
          found,
          operations,
          "during " + episode.faults(),
          episode.struckNanos(),
          episode.healedNanos(),
          request -> !request.all() && !episode.isVictim(request.node()));
      peace = episode.recoveredNanos();
    }
    check(found, operations, "in peace", peace, endNanos, request -> true);
    return found;
  }

  private static void check(
      List<Violation> found,
      Collection<Operation> operations,
      String when,
      long fromNanos,
      long toNanos,
      Predicate<Operation> isServed) {
    List<Operation> judged =
        operations.stream()
            .filter(request -> request.startNanos() >= fromNanos + SETTLED_NANOS)
            .filter(request -> request.endNanos() <= toNanos)
            .filter(isServed)
            .toList();
    List<Operation> failed = judged.stream().filter(Figures::isOfNoUse).toList();
    if (failed.size() > FAILED_MAX && failed.size() > FAILED_SHARE_MAX * judged.size()) {
      String detail = "%d of %d requests failed %s".formatted(failed.size(), judged.size(), when);
      found.add(new Violation(Rule.UNAVAILABLE, "", detail, failed.stream().limit(SHOWN).toList()));
    }
  }
}
