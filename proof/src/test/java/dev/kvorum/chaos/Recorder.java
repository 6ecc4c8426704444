package dev.kvorum.chaos;

import dev.kvorum.chaos.history.History;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The history as it comes in, and the clock by which it is kept. */
final class Recorder {
  private final long startMillis = System.currentTimeMillis();
  private final long startNanos = System.nanoTime();
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);

  /** Nanoseconds since the run began; only ever grows. */
  long nowNanos() {
    return System.nanoTime() - startNanos;
  }

  synchronized void add(Operation operation) {
    operations.add(operation);
    if (operation.kind() != Kind.RANGE) {
      counts.merge(operation.outcome(), 1, Integer::sum);
    }
  }

  /** How many requests for one key ended how. */
  synchronized Map<Outcome, Integer> counts() {
    return new EnumMap<>(counts);
  }

  /** Everything so far. */
  synchronized History history() {
    return new History(startMillis, List.copyOf(operations));
  }
}
