package dev.kvorum.simulation;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What simulated runs must contain: a fault that is never injected tests nothing. */
final class Coverage {
  /** Seeds in which everything occurs. */
  static final int SEEDS_MIN = 500;

  /** Occurs in every hundred seeds. */
  private static final List<String> COMMON =
      List.of(
          // Outcomes of operations.
          "Acknowledged",
          "Indeterminate",
          "Rejected",
          "Found",
          "NotFound",
          "Unanswered",
          "Scanned",
          // Faults.
          "clock-jump",
          "clock-wrong",
          "cut-both-ways",
          "cut-one-way",
          "frame-lost",
          "isolate",
          "kill",
          "loss",
          "power-cut",
          "slow-disk",
          "slow-link",
          "stop",
          // Changes of the members.
          "changed",
          "join",
          "leave",
          "unchanged",
          // Meters of the nodes.
          "kvorum.writes.superseded",
          "kvorum.reads.repaired",
          "kvorum.reads.hedged",
          "kvorum.hints.kept",
          "kvorum.hints.delivered");

  private static final List<String> RARE =
      List.of(
          "clock-wrong-start",
          "clock-wrong-stopped",
          "damaged-record",
          "duplicate-directory",
          "duplicate-process",
          "failing-disk",
          "foreign-epoch",
          "frame-twice",
          "full-disk",
          "long-absence",
          "lost-disk",
          "cancelled",
          "operator-killed",
          "restarted-pod",
          "scaled");

  private Coverage() {}

  static List<String> unseen(Tally tally) {
    return unseen(tally, Stream.concat(COMMON.stream(), RARE.stream()));
  }

  static List<String> unseenOfCommon(Tally tally) {
    return unseen(tally, COMMON.stream());
  }

  private static List<String> unseen(Tally tally, Stream<String> expected) {
    Set<String> labels = tally.labels();
    return expected.filter(label -> !labels.contains(label)).toList();
  }
}
