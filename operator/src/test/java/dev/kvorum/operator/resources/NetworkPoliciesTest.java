package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each port admits what it is for. */
class NetworkPoliciesTest {
  private static final String HOME = "shop";

  /** Pods that connect, by name. */
  private static final Map<String, Pod> PODS = new LinkedHashMap<>();

  static {
    PODS.put("member", new Pod(HOME, Labels.selector("kvorum")));
    PODS.put("member of another cluster", new Pod(HOME, Labels.selector("other")));
    PODS.put("member elsewhere", new Pod("other", Labels.selector("kvorum")));
    PODS.put("load test", named(HOME, LoadLabels.NAME));
    PODS.put("helm test", named(HOME, "kvorum-test"));
    PODS.put("backup", named(HOME, "kvorum-backup"));
    PODS.put("operator", named("operators", "kvorum-operator"));
    PODS.put("operator elsewhere", named("other", "kvorum-operator"));
    PODS.put("prometheus", named("monitoring", "prometheus"));
    PODS.put("agent", named("monitoring", "agent"));
    PODS.put("app", named(HOME, "app"));
    PODS.put("app elsewhere", named("other", "app"));
  }

  private record Pod(String namespace, Map<String, String> labels) {}

  private static Pod named(String namespace, String name) {
    return new Pod(namespace, Map.of("app.kubernetes.io/name", name));
  }

  private static NetworkPolicy policy(
      String profile, Map<String, Object> network, Optional<String> operators) {
    KvorumCluster cluster =
        Specs.cluster(Specs.of(Map.of("security", Map.of("profile", profile), "network", network)));
    // As the API server reads it: an empty selector selects all, one that is left out does not.
    return Serialization.unmarshal(
        Serialization.asYaml(NetworkPolicies.of(cluster, operators)), NetworkPolicy.class);
  }

  private static NetworkPolicy policy(String profile, Map<String, Object> network) {
    return policy(profile, network, Optional.of("operators"));
  }

  /** As a network plugin evaluates a policy. */
  private static Set<String> admitted(NetworkPolicy policy, int port) {
    Set<String> admitted = new TreeSet<>();
    PODS.forEach((name, pod) -> {
      boolean isAdmitted =
          policy.getSpec().getIngress().stream()
              .filter(
                  rule -> rule.getPorts().stream().anyMatch(it -> it.getPort().getIntVal() == port))
              .anyMatch(rule ->
                  rule.getFrom().isEmpty()
                      || rule.getFrom().stream().anyMatch(peer -> selects(peer, pod)));
      if (isAdmitted) {
        admitted.add(name);
      }
    });
    return admitted;
  }

  private static boolean selects(NetworkPolicyPeer peer, Pod pod) {
    LabelSelector namespaces = peer.getNamespaceSelector();
    boolean isInNamespace =
        namespaces == null
            ? pod.namespace().equals(HOME)
            : Map.of("kubernetes.io/metadata.name", pod.namespace())
                .entrySet()
                .containsAll(namespaces.getMatchLabels().entrySet());
    LabelSelector pods = peer.getPodSelector();
    return isInNamespace
        && (pods == null || pod.labels().entrySet().containsAll(pods.getMatchLabels().entrySet()));
  }

  @Test
  void onlyMembersConnectToMembers() {
    for (String profile : List.of("open", "standard", "strict")) {
      assertThat(admitted(policy(profile, Map.of()), 7400)).as(profile).containsOnly("member");
    }
  }

  @Test
  void clientsConnectUnlessOthersAreListed() {
    assertThat(admitted(policy("open", Map.of()), 8080)).isEqualTo(PODS.keySet());
    assertThat(admitted(policy("standard", Map.of()), 8080)).isEqualTo(PODS.keySet());
    assertThat(admitted(policy("strict", Map.of()), 8080)).containsOnly("load test", "helm test");
    Map<String, Object> app = Map.of("podSelector", matching("app.kubernetes.io/name", "app"));
    for (String profile : List.of("open", "standard", "strict")) {
      assertThat(admitted(policy(profile, Map.of("clients", List.of())), 8080))
          .as(profile)
          .containsOnly("load test", "helm test");
      assertThat(admitted(policy(profile, Map.of("clients", List.of(app))), 8080))
          .as(profile)
          .containsOnly("app", "load test", "helm test");
    }
  }

  @Test
  void theManagementPortIsForJobsOfBackupsWhereThereAreAny() {
    KvorumClusterSpec spec = Specs.withBackup(3, Map.of("volume", Map.of("claimName", "backups")));
    NetworkPolicy policy =
        NetworkPolicies.of(Specs.cluster(Specs.secured(spec, "strict")), Optional.of("operators"));
    assertThat(admitted(policy, 8090)).containsOnly("backup", "operator", "prometheus");
  }

  @Test
  void theManagementPortIsForOperatorAndMonitoring() {
    assertThat(admitted(policy("open", Map.of()), 8090)).isEqualTo(PODS.keySet());
    for (String profile : List.of("standard", "strict")) {
      assertThat(admitted(policy(profile, Map.of()), 8090))
          .as(profile)
          .containsOnly("operator", "prometheus");
    }
    Map<String, Object> monitoring =
        Map.of("namespaceSelector", matching("kubernetes.io/metadata.name", "monitoring"));
    for (String profile : List.of("open", "standard", "strict")) {
      assertThat(admitted(policy(profile, Map.of("monitoring", List.of())), 8090))
          .as(profile)
          .containsOnly("operator");
      assertThat(admitted(policy(profile, Map.of("monitoring", List.of(monitoring))), 8090))
          .as(profile)
          .containsOnly("operator", "prometheus", "agent");
    }
  }

  @Test
  void anOperatorOutsideOfKubernetesIsNotLockedOut() {
    assertThat(admitted(policy("strict", Map.of(), Optional.empty()), 8090))
        .isEqualTo(PODS.keySet());
  }

  private static Map<String, Object> matching(String label, String value) {
    return Map.of("matchLabels", Map.of(label, value));
  }
}
