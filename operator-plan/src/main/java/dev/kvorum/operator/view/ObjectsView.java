package dev.kvorum.operator.view;

import dev.kvorum.operator.api.CertificatesStatus;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Problems of the objects beside StatefulSet, topology and volumes.
 *
 * @param drift objects that are missing, outdated or no longer needed, in the order of creation
 * @param foreign objects under names that the cluster needs, which were not created for it
 * @param certificates those of members and for clients; empty before pods can be mounted them
 * @param pending why the last certificate of an issuer is not used yet
 * @param budget the disruption budget, if it exists and is outdated
 * @param rejected objects that the API server rejected recently, and why
 */
public record ObjectsView(
    List<String> drift,
    List<String> foreign,
    Optional<CertificatesStatus> certificates,
    Optional<String> pending,
    Optional<String> budget,
    SortedMap<String, String> rejected) {
  /** No problems. */
  public static final ObjectsView NONE = of(List.of(), List.of());

  public ObjectsView {
    drift = List.copyOf(drift);
    foreign = List.copyOf(foreign);
    rejected = Collections.unmodifiableSortedMap(new TreeMap<>(rejected));
  }

  /** Returns a view without rejected objects. */
  public static ObjectsView of(List<String> drift, List<String> foreign) {
    return of(drift, foreign, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Returns a view without rejected objects. */
  public static ObjectsView of(
      List<String> drift,
      List<String> foreign,
      Optional<CertificatesStatus> certificates,
      Optional<String> pending,
      Optional<String> budget) {
    return new ObjectsView(drift, foreign, certificates, pending, budget, new TreeMap<>());
  }

  /** Returns this view with the rejected objects, which no longer count as drift. */
  ObjectsView rejected(Map<String, String> whys) {
    SortedMap<String, String> left = new TreeMap<>(whys);
    left.keySet().retainAll(drift);
    return new ObjectsView(
        drift.stream().filter(object -> !left.containsKey(object)).toList(),
        foreign,
        certificates,
        pending,
        budget.filter(object -> !left.containsKey(object)),
        left);
  }
}
