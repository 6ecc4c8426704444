package dev.kvorum.storage.rocks;

import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.Durability;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a store holds after each batch; recovery may go back to a batch, and no further than asked.
 */
final class CrashModel {
  private final List<State> states = new ArrayList<>(List.of(new State(Map.of(), Map.of())));
  private int required;

  /** Records and marks. */
  record State(Map<String, Versioned> records, Map<String, Long> marks) {}

  /** One write. */
  sealed interface Op {
    /** A record that is newer than all before it. */
    record Put(String key, Versioned record) implements Op {}

    /** The removal of a version, if it is there; made durable by a later write. */
    record Remove(String key, Version version) implements Op {}

    /** A mark, always durable at once. */
    record Mark(String name, long number) implements Op {}

    /** Whether a store of this durability acknowledges it only when it is durable. */
    default boolean isDurableAtOnce(Durability durability) {
      return this instanceof Mark || (this instanceof Put && durability == Durability.SYNC);
    }
  }

  State now() {
    return states.getLast();
  }

  /** A batch was written: all of it or nothing survives. */
  void written(List<Op> batch) {
    Map<String, Versioned> records = new HashMap<>(now().records());
    Map<String, Long> marks = new HashMap<>(now().marks());
    for (Op op : batch) {
      switch (op) {
        case Op.Put put -> records.put(put.key(), put.record());
        case Op.Remove remove -> {
          Versioned there = records.get(remove.key());
          if (there != null && there.version().equals(remove.version())) {
            records.remove(remove.key());
          }
        }
        case Op.Mark mark -> marks.put(mark.name(), mark.number());
      }
    }
    states.add(new State(records, marks));
  }

  /** All that was written so far has been acknowledged as durable. */
  void acknowledged() {
    required = states.size() - 1;
  }

  /**
   * What is wrong with what was recovered; empty when it is the state after a batch that is no
   * older than what was acknowledged as durable.
   */
  Optional<String> violation(State recovered) {
    List<State> candidates = states.subList(required, states.size());
    if (candidates.contains(recovered)) {
      return Optional.empty();
    }
    State nearest =
        candidates.stream()
            .min(Comparator.comparingInt(state -> differences(state, recovered).size()))
            .orElseThrow();
    return Optional.of(
        "no state from batch %d to %d; nearest is %d but for %s"
            .formatted(
                required,
                states.size() - 1,
                required + candidates.indexOf(nearest),
                differences(nearest, recovered).stream().limit(5).toList()));
  }

  private static List<String> differences(State wanted, State recovered) {
    List<String> lines = new ArrayList<>();
    Set<String> keys = new TreeSet<>(wanted.records().keySet());
    keys.addAll(recovered.records().keySet());
    for (String key : keys) {
      Versioned expected = wanted.records().get(key);
      Versioned found = recovered.records().get(key);
      if (!Objects.equals(expected, found)) {
        lines.add(key + ": " + found + " instead of " + expected);
      }
    }
    if (!wanted.marks().equals(recovered.marks())) {
      lines.add("marks: " + recovered.marks() + " instead of " + wanted.marks());
    }
    return lines;
  }
}
