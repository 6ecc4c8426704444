package dev.kvorum.operator.observe;

import java.util.List;

/**
 * What is amiss with the objects beside StatefulSet, topology and volumes.
 *
 * @param drift those that are not there or not as they should be, in the order of making
 * @param foreign those of names that the cluster needs, which were not made for it
 */
public record ObjectsView(List<String> drift, List<String> foreign) {
  /** Nothing is amiss. */
  public static final ObjectsView NONE = new ObjectsView(List.of(), List.of());

  public ObjectsView {
    drift = List.copyOf(drift);
    foreign = List.copyOf(foreign);
  }
}
