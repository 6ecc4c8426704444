package dev.kvorum.topology;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the members of a cluster do only once all of them can: a record or a request that a release
 * without the feature would not understand. Names are never reused.
 */
public enum Feature {
  /** Values are stored with their media type. */
  CONTENT_TYPE("content-type"),
  /** Ranges are read in descending order. */
  REVERSE_SCAN("reverse-scan");

  private final String label;

  Feature(String label) {
    this.label = label;
  }

  /** The name in topologies, handshakes and files. */
  public String label() {
    return label;
  }

  /** All features of this release. */
  public static Set<Feature> all() {
    return Set.of(values());
  }

  /** The feature of this name, if this release has it. */
  public static Optional<Feature> named(String label) {
    return Stream.of(values()).filter(feature -> feature.label.equals(label)).findFirst();
  }

  /**
   * The features of these names.
   *
   * @throws IllegalArgumentException if this release does not have them all
   */
  public static Set<Feature> of(Collection<String> labels) {
    Set<String> unknown = new TreeSet<>(labels);
    unknown.removeIf(label -> named(label).isPresent());
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "this release lacks the feature "
              + String.join(", ", unknown)
              + ", which is active in the cluster; run a release that has it");
    }
    return known(labels);
  }

  /** The features of these names, without those that this release does not have. */
  public static Set<Feature> known(Collection<String> labels) {
    return labels.stream()
        .flatMap(label -> named(label).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The names, sorted. */
  public static List<String> labels(Collection<Feature> features) {
    return features.stream().map(Feature::label).sorted().toList();
  }

  /** The names, sorted, separated by commas. */
  public static String names(Collection<Feature> features) {
    return String.join(",", labels(features));
  }

  /** The names in a text that separates them by commas. */
  public static List<String> split(String names) {
    return names.isEmpty() ? List.of() : List.of(names.split(",", -1));
  }
}
