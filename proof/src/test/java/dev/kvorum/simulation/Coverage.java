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
          "NoQuorum",
          "Scanned",
          // Faults.
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
          // Meters of the nodes.
          "kvorum.writes.superseded",
          "kvorum.reads.repaired",
          "kvorum.reads.hedged",
          "kvorum.hints.kept",
          "kvorum.hints.delivered");

  /** Some occur in a few runs of a hundred only. */
  private static final List<String> RARE =
      List.of(
          // Faults.
          "clock-jump",
          "clock-wrong",
          "clock-wrong-change",
          "clock-wrong-lost-disk",
          "clock-wrong-start",
          "clock-wrong-stopped",
          "damaged-record",
          "downgrade",
          "duplicate-directory",
          "duplicate-process",
          "failing-disk",
          "foreign-epoch",
          "frame-twice",
          "full-disk",
          "long-absence",
          "lost-disk",
          "upgrade",
          // What stores meet.
          "corrupted-store",
          "death-at-a-step",
          "store-reopened",
          "store-restarted",
          // Changes of the members.
          "cancelled",
          "changed",
          "features-activated",
          "join",
          "leave",
          "move",
          "operator-killed",
          "remove",
          "restarted-pod",
          "scaled",
          "unchanged");

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
