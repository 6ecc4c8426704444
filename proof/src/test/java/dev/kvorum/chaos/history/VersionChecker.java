package dev.kvorum.chaos.history;

import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import dev.kvorum.chaos.history.Violation.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of versions, for one key: which write has which. */
final class VersionChecker {
  /** A write that finds newer versions is tried once more above them. */
  private static final int ATTEMPTS_MAX = 2;

  private static final String DELETION = "";

  private final String key;
  private final List<Operation> operations;
  private final Map<String, Operation> writes = new HashMap<>();
  private final Map<String, Operation> byVersion = new HashMap<>();
  private final Map<String, Set<String>> versions = new HashMap<>();
  private final List<Violation> found = new ArrayList<>();

  VersionChecker(String key, List<Operation> operations) {
    this.key = key;
    this.operations = operations;
  }

  List<Violation> check() {
    for (Operation operation : operations) {
      if (operation.kind() == Kind.PUT && operation.outcome() == Outcome.OK) {
        writes.put(operation.value(), operation);
      }
    }
    for (Operation operation : operations) {
      if (operation.outcome() == Outcome.OK) {
        checkOneWritePerVersion(operation);
        if (!operation.isWrite()) {
          checkVersionsOfValue(operation);
        }
      }
    }
    return found;
  }

  private void checkOneWritePerVersion(Operation operation) {
    Operation first = byVersion.putIfAbsent(operation.version(), operation);
    boolean twice = first != null && operation.isWrite() && first.isWrite();
    if (first != null && (twice || !what(first).equals(what(operation)))) {
      found.add(
          new Violation(
              Rule.VERSION_SHARED, key, "two writes under one version", List.of(first, operation)));
    }
  }

  private static String what(Operation operation) {
    return operation.kind() == Kind.DELETE ? DELETION : operation.value();
  }

  private void checkVersionsOfValue(Operation read) {
    Set<String> seen = versions.computeIfAbsent(read.value(), value -> new LinkedHashSet<>());
    boolean isNew = seen.add(read.version());
    Operation put = writes.get(read.value());
    if (put != null) {
      seen.add(put.version());
      if (read.version().compareTo(put.version()) > 0) {
        found.add(
            new Violation(
                Rule.VERSION_CHANGED, key, "seen above its own version", List.of(put, read)));
      }
    }
    if (isNew && seen.size() > ATTEMPTS_MAX) {
      found.add(
          new Violation(
              Rule.VERSION_CHANGED,
              key,
              "one value under " + seen.size() + " versions",
              List.of(read)));
    }
  }
}
