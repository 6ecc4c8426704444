package dev.kvorum.operator.observe;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Problems of the objects beside StatefulSet, topology and volumes.
 *
 * @param drift those that are not there or not as they should be, in the order of making
 * @param foreign those of names that the cluster needs, which were not made for it
 * @param refused those that the API did not take a moment ago, and why
 */
public record ObjectsView(
    List<String> drift, List<String> foreign, SortedMap<String, String> refused) {
  /** No problems. */
  public static final ObjectsView NONE = of(List.of(), List.of());

  public ObjectsView {
    drift = List.copyOf(drift);
    foreign = List.copyOf(foreign);
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
  }

  /** None of them has been refused. */
  public static ObjectsView of(List<String> drift, List<String> foreign) {
    return new ObjectsView(drift, foreign, new TreeMap<>());
  }

  /** The same, leaving alone what the API refuses. */
  ObjectsView refused(Map<String, String> whys) {
    SortedMap<String, String> left = new TreeMap<>(whys);
    left.keySet().retainAll(drift);
    return new ObjectsView(
        drift.stream().filter(object -> !left.containsKey(object)).toList(), foreign, left);
  }
}
