package dev.kvorum.chaos.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The judge of a history: names every promise that it shows broken. */
public final class HistoryChecker {
  private final Bounds bounds;

  public HistoryChecker(Bounds bounds) {
    this.bounds = bounds;
  }

  /** All violations, key by key; empty for a history that an honest store can have. */
  public List<Violation> check(History history) {
    Map<String, List<Operation>> byKey = new LinkedHashMap<>();
    for (Operation operation : history.operations()) {
      byKey.computeIfAbsent(operation.key(), key -> new ArrayList<>()).add(operation);
    }
    Times times = new Times(bounds, history.startMillis());
    List<Violation> found = new ArrayList<>();
    byKey.forEach((key, operations) -> {
      found.addAll(new VersionChecker(key, operations).check());
      found.addAll(new KeyChecker(times, key, operations).check());
    });
    return found;
  }
}
