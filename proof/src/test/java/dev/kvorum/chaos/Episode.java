package dev.kvorum.chaos;

import dev.kvorum.chaos.Faults.Fault;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One fault, or two at a time, from strike to recovery, in nanoseconds of the history's clock.
 *
 * @param faults what was done
 * @param begunNanos before anything was done
 * @param struckNanos when all was done
 * @param healedNanos when it was begun to be undone
 * @param recoveredNanos when all nodes were ready and saw each other again
 */
record Episode(
    List<Fault> faults, long begunNanos, long struckNanos, long healedNanos, long recoveredNanos) {

  /** The name of the row that it counts in. */
  String label() {
    return faults.size() == 1 ? faults.getFirst().kind().label() : "two at a time";
  }

  boolean isVictim(String node) {
    return faults.stream()
        .anyMatch(fault -> fault.victim().equals(node) || fault.victim().equals("all"));
  }

  @Override
  public String toString() {
    String what = faults.stream().map(Fault::toString).collect(Collectors.joining(" and "));
    return "%7.1f-%.1f s, recovered after %.1f s: %s"
        .formatted(
            struckNanos / 1e9, healedNanos / 1e9, (recoveredNanos - healedNanos) / 1e9, what);
  }
}
