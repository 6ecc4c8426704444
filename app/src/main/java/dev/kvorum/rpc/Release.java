package dev.kvorum.rpc;

import dev.kvorum.topology.Feature;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A build of Kvorum, as nodes compare theirs.
 *
 * @param version of the product, for people; empty if a peer did not send it
 * @param features those that it has and this build knows
 */
public record Release(String version, ProtocolRange protocols, Set<Feature> features) {
  /** This build. */
  public static final Release CURRENT =
      new Release(
          Objects.requireNonNullElse(
              Release.class.getPackage().getImplementationVersion(), "development"),
          ProtocolRange.SUPPORTED,
          Feature.all());

  /** A release without features. */
  public Release(String version, ProtocolRange protocols) {
    this(version, protocols, Set.of());
  }

  /** The features of these that it lacks. */
  Set<Feature> lacking(Set<Feature> wanted) {
    return wanted.stream()
        .filter(feature -> !features.contains(feature))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public String toString() {
    return (version.isEmpty() ? "a release" : version) + " with protocol " + protocols;
  }
}
