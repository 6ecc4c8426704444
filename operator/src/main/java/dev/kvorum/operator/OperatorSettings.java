package dev.kvorum.operator;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The operator's settings, all from environment variables.
 *
 * @param namespaces namespaces whose clusters it manages ({@code WATCH_NAMESPACES},
 *     comma-separated); empty, from no value or {@code *}: all namespaces
 * @param leaseNamespace namespace of the leader election lease ({@code POD_NAMESPACE}); if empty,
 *     it runs without leader election, as outside a Kubernetes cluster
 * @param leaseName name of the lease ({@code LEASE_NAME}, default kvorum-operator); operators that
 *     share one are standbys of each other
 * @param identity its name among the candidates ({@code POD_NAME})
 * @param defaultImage node image of clusters that set none ({@code KVORUM_NODE_IMAGE})
 * @param loadTestImage image of load tests that name none ({@code KVORUM_LOADTEST_IMAGE}, default
 *     cylab/wrk2)
 * @param assignedIds whether pods are made without ids of users and groups, for namespaces that
 *     assign them, as on OpenShift ({@code KVORUM_ASSIGNED_IDS}, default false)
 * @param httpPort port of health and metrics ({@code HTTP_PORT}, default 8080)
 */
record OperatorSettings(
    Set<String> namespaces,
    Optional<String> leaseNamespace,
    String leaseName,
    Optional<String> identity,
    String defaultImage,
    String loadTestImage,
    boolean assignedIds,
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
        said(environment, "KVORUM_LOADTEST_IMAGE").orElse("cylab/wrk2"),
        said(environment, "KVORUM_ASSIGNED_IDS").map(Boolean::parseBoolean).orElse(false),
        said(environment, "HTTP_PORT").map(Integer::parseInt).orElse(8080));
  }

  private static Optional<String> said(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
  }
}
