package dev.kvorum.operator;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operator's settings, all from its environment.
 *
 * @param namespaces those whose clusters it looks after ({@code WATCH_NAMESPACES}, with commas);
 *     none, or {@code *}: all
 * @param leaseNamespace where its leaders are elected ({@code POD_NAMESPACE}); none: it leads
 *     alone, as outside a cluster
 * @param leaseName by what ({@code LEASE_NAME}, kvorum-operator): those that share one stand by for
 *     each other
 * @param identity its name among candidates ({@code POD_NAME})
 * @param defaultImage nodes' image where a cluster sets none ({@code KVORUM_NODE_IMAGE})
 * @param httpPort health and metrics ({@code HTTP_PORT}, 8080)
 */
record OperatorSettings(
    Set<String> namespaces,
    Optional<String> leaseNamespace,
    String leaseName,
    Optional<String> identity,
    String defaultImage,
    int httpPort) {
  static OperatorSettings of(Map<String, String> environment) {
    return new OperatorSettings(
        Arrays.stream(environment.getOrDefault("WATCH_NAMESPACES", "").split(",", -1))
            .map(String::strip)
            .filter(name -> !name.isEmpty() && !name.equals("*"))
            .collect(Collectors.toUnmodifiableSet()),
        said(environment, "POD_NAMESPACE"),
        said(environment, "LEASE_NAME").orElse("kvorum-operator"),
        said(environment, "POD_NAME"),
        environment.getOrDefault("KVORUM_NODE_IMAGE", ""),
        said(environment, "HTTP_PORT").map(Integer::parseInt).orElse(8080));
  }

  private static Optional<String> said(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
  }
}
