package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters change to TLS and back, and not while they cannot have certificates. */
class SecurityProfilesTest extends MockedKubernetes {
  private static final String TLS = "kvorum-tls";

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");
  private boolean rejectsSecrets;

  @BeforeEach
  void start() {
    operator = kubernetes.operator(kubernetes.door(this::reject), () -> now);
  }

  private void reject(Object written) {
    if (rejectsSecrets && written instanceof Secret) {
      throw noSecrets();
    }
  }

  @Test
  void aClusterChangesToTlsAndBackByPermissive() {
    become(Specs.withProfile(3, "open"));
    assertThat(changesTo("standard")).containsExactly("off", "permissive", "required");
    assertThat(changesTo("strict")).containsExactly("required");
    assertThat(kubernetes.pods())
        .allSatisfy(pod ->
            assertThat(tls(pod))
                .containsEntry("HTTP", "required")
                .containsEntry("MANAGEMENT", "required"));
    assertThat(changesTo("open")).containsExactly("required", "permissive", "off");
    assertThat(kubernetes.pods()).allSatisfy(pod -> assertThat(tls(pod)).isEmpty());
  }

  /** The modes that pods had on the way, in order. */
  private Set<String> changesTo(String profile) {
    Set<String> modes = new LinkedHashSet<>();
    kubernetes.edit(Specs.withProfile(3, profile));
    for (int turn = 0; turn < 40; turn++) {
      Set<String> together = new LinkedHashSet<>();
      kubernetes.pods().forEach(pod -> together.add(tls(pod).getOrDefault("PEER", "off")));
      assertThat(together).isNotEqualTo(Set.of("off", "required"));
      assertThat(kubernetes.pods())
          .filteredOn(pod -> tls(pod).getOrDefault("PEER", "off").equals("permissive"))
          .allSatisfy(pod -> assertThat(tls(pod)).containsEntry("HTTP", "permissive"));
      modes.addAll(together);
      kubernetes.turns(operator, 1);
    }
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    return modes;
  }

  @Test
  void noPodIsRestartedForCertificatesThatCannotBeWritten() {
    become(Specs.withProfile(3, "open"));
    Map<String, String> pods = uids();
    rejectsSecrets = true;
    kubernetes.edit(Specs.withProfile(3, "standard"));
    kubernetes.turns(operator, 50);
    assertThat(uids()).isEqualTo(pods);
    assertThat(ready().getReason()).isEqualTo("ObjectRejected");
    assertThat(ready().getMessage()).contains("Secret/kvorum-peer-ca", "no Secrets");
    recreatesStatefulSet("off");
    assertThat(uids()).isEqualTo(pods);
    rejectsSecrets = false;
    now = now.plus(Rejections.AGAIN_AFTER);
    kubernetes.turns(operator, 100);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(kubernetes.pods())
        .allSatisfy(pod -> assertThat(tls(pod)).containsEntry("PEER", "required"));
  }

  @Test
  void aSecuredClusterStaysSoWithoutRightsToSecrets() {
    become(Specs.withProfile(3, "strict"));
    Map<String, String> pods = uids();
    rejectsSecrets = true;
    client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-peer-ca").delete();
    recreatesStatefulSet("required");
    client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName(TLS).delete();
    recreatesStatefulSet("required");
    assertThat(uids()).isEqualTo(pods);
  }

  /** A StatefulSet that is lost without its pods is created with what they have. */
  private void recreatesStatefulSet(String mode) {
    var sets = client.apps().statefulSets().inNamespace(FakeKubernetes.NAMESPACE);
    sets.withName("kvorum").withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
    kubernetes.turns(operator, 20);
    assertThat(sets.withName("kvorum").get().getSpec().getTemplate().getSpec().getContainers())
        .allSatisfy(container ->
            assertThat(container.getEnv())
                .filteredOn(variable -> variable.getName().equals("KVORUM_TLS_PEER"))
                .map(EnvVar::getValue)
                .isEqualTo(mode.equals("off") ? List.of() : List.of(mode)));
  }

  @Test
  void secretsOfAnEarlierClusterAreNotTakenUntilTheyAreGone() {
    createSecret(
        TLS,
        Map.of("peer-ca.crt", "AAAA"),
        new OwnerReferenceBuilder()
            .withApiVersion(KvorumCluster.GROUP + "/v1alpha1")
            .withKind("KvorumCluster")
            .withName("kvorum")
            .withUid("deleted")
            .withController(true)
            .build());
    kubernetes.create(Specs.withProfile(3, "standard"));
    kubernetes.turns(operator, 20);
    assertThat(kubernetes.pods()).isEmpty();
    assertThat(secret("kvorum-peer-ca")).isNull();
    client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName(TLS).delete();
    kubernetes.turns(operator, 20);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kvorum-peer-ca", TLS})
  void aSecretOfSomeoneElseIsNotTaken(String name) {
    createSecret(name, Map.of("ca.crt", "AAAA"));
    kubernetes.create(Specs.withProfile(3, "standard"));
    kubernetes.turns(operator, 20);
    assertThat(ready().getReason()).isEqualTo("ForeignObject");
    assertThat(ready().getMessage()).contains("Secret/" + name);
    assertThat(secret(name).getData()).isEqualTo(Map.of("ca.crt", "AAAA"));
    assertThat(kubernetes.pods()).isEmpty();
  }

  @Test
  void aRunningClusterIsNotMountedASecretOfSomeoneElse() {
    become(Specs.withProfile(3, "open"));
    Map<String, String> pods = uids();
    createSecret(TLS, Map.of());
    kubernetes.edit(Specs.withProfile(3, "standard"));
    kubernetes.turns(operator, 20);
    assertThat(ready().getMessage()).contains("Secret/kvorum-tls");
    assertThat(uids()).isEqualTo(pods);
  }

  @Test
  void aNetworkPolicyExistsUnlessItIsUnwanted() {
    become(Specs.withOneCopy(1));
    Map<String, String> pods = uids();
    assertThat(networkPolicies()).hasSize(1);
    Map<String, Object> unwanted = Map.of("policy", "None");
    become(
        Specs.of(
            Map.of("replicas", 1, "replication", 1, "image", "kvorum:1", "network", unwanted)));
    assertThat(networkPolicies()).isEmpty();
    become(Specs.withOneCopy(1));
    assertThat(networkPolicies()).hasSize(1);
    assertThat(uids()).isEqualTo(pods);
  }

  private List<NetworkPolicy> networkPolicies() {
    return client
        .network()
        .v1()
        .networkPolicies()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .list()
        .getItems();
  }

  @Test
  void certificatesThatNodesWouldRejectRestartNoPod() {
    become(Specs.withProfile(3, "open"));
    Map<String, String> pods = uids();
    become(Specs.withProfile(3, "standard"));
    Secret issued = secret(TLS);
    Map<String, String> secured = uids();
    assertThat(secured).isNotEqualTo(pods);
    kubernetes.edit(Specs.secured(Specs.withProfile(3, "standard"), "standard", "own"));
    kubernetes.turns(operator, 20);
    assertThat(ready().getReason()).isEqualTo("InvalidCertificates");
    assertThat(ready().getMessage()).contains("Secret/own does not exist", "the-id");
    assertThat(uids()).isEqualTo(secured);
    createSecret("own", issued.getData());
    kubernetes.turns(operator, 150);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(uids()).doesNotContainValue(secured.get("kvorum-0"));
    assertThat(kubernetes.cluster().getStatus().certificates())
        .isEqualTo(
            new CertificatesStatus(now.plus(Duration.ofDays(90)).toString(), List.of(), null));
  }
}
