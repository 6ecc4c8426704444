package dev.kvorum.chaos;

import dev.kvorum.chaos.history.Operation.Outcome;
import dev.kvorum.chaos.history.Violation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The verdict on a run, with its figures.
 *
 * @param skipped faults that this machine could not have, empty when there are none
 * @param outcomes operations by outcome
 * @param statuses operations by HTTP status, 0 for no answer
 * @param ranges keys in ranges by outcome
 * @param endState what was compared at the end
 * @param loggedErrors lines of errors that the nodes logged
 */
record Report(
    ChaosSettings settings,
    String skipped,
    Map<Outcome, Integer> outcomes,
    Map<Integer, Long> statuses,
    Map<Outcome, Integer> ranges,
    List<Episode> episodes,
    Figures figures,
    String endState,
    long loggedErrors,
    List<Violation> violations) {
  private static final int VIOLATIONS_SHOWN = 20;

  Report {
    outcomes = new EnumMap<>(outcomes);
    statuses = new TreeMap<>(statuses);
    ranges = new TreeMap<>(ranges);
  }

  /** All of it, for a terminal or as Markdown. */
  @Override
  public String toString() {
    int operations = outcomes.values().stream().mapToInt(Integer::intValue).sum();
    StringBuilder text = new StringBuilder();
    text.append("`").append(settings.command()).append("`\n\n");
    if (!skipped.isEmpty()) {
      text.append("skipped: ").append(skipped).append("\n\n");
    }
    text.append("%d operations: %s%n".formatted(operations, outcomes));
    text.append("by HTTP status (0: no answer): ").append(statuses).append("\n\n");
    text.append("keys in ranges: ").append(ranges).append("\n\n");
    text.append("faults: ").append(byKind()).append("\n\n");
    text.append(
            "requests to a majority of replicas at healthy nodes, by what was done to others:\n\n")
        .append(figures)
        .append("\n");
    text.append("compared at the end: ").append(endState).append("\n\n");
    text.append("errors in the nodes' logs: ").append(loggedErrors).append("\n\n");
    text.append(violations.isEmpty() ? "no violation\n" : violations.size() + " VIOLATIONS\n");
    violations.stream()
        .limit(VIOLATIONS_SHOWN)
        .forEach(violation -> text.append(violation).append("\n"));
    return text.toString();
  }

  /** What was done when. */
  String timeline() {
    return episodes.stream().map(Episode::toString).collect(Collectors.joining("\n"));
  }

  private Map<String, Long> byKind() {
    return episodes.stream()
        .flatMap(episode -> episode.faults().stream())
        .collect(
            Collectors.groupingBy(
                fault -> fault.kind().label(), TreeMap::new, Collectors.counting()));
  }
}
