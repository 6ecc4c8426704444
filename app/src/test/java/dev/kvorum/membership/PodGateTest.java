package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import org.junit.jupiter.api.Test;

/** A node opens the readiness gate of its own pod, once. */
@EnableKubernetesMockClient(https = false)
class PodGateTest {
  private static final String POD = "/api/v1/namespaces/test/pods/kvorum-0";

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private static KubernetesMockServer server;

  private final PodGate gate = new PodGate(client, "kvorum-0");

  private static PodBuilder pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("test")
        .withUid("uid-" + name)
        .endMetadata()
        .withNewSpec()
        .addNewReadinessGate("kvorum.dev/Reachable")
        .endSpec();
  }

  private static Pod set(String status) {
    return pod("kvorum-0")
        .withNewStatus()
        .addNewCondition()
        .withType("kvorum.dev/Reachable")
        .withStatus(status)
        .endCondition()
        .endStatus()
        .build();
  }

  @Test
  void itIsUnsetOnlyOnANewPodOfThisNodeThatHasIt() {
    assertThat(gate.isUnset(pod("kvorum-0").build())).isTrue();
    assertThat(gate.isUnset(pod("kvorum-1").build())).isFalse();
    assertThat(gate.isUnset(set("True"))).isFalse();
    assertThat(gate.isUnset(set("False"))).as("closed by the operator").isFalse();
    Pod without = pod("kvorum-0").editSpec().withReadinessGates().endSpec().build();
    assertThat(gate.isUnset(without)).isFalse();
  }

  @Test
  void openingChangesOneConditionOfThisVeryPod() throws InterruptedException {
    Pod own = pod("kvorum-0").build();
    server.expect().get().withPath(POD).andReturn(200, own).always();
    server.expect().patch().withPath(POD + "/status").andReturn(200, set("True")).once();
    gate.open(own);
    RecordedRequest patch = server.getLastRequest();
    assertThat(patch.getMethod()).isEqualTo("PATCH");
    assertThat(patch.getHeader("Content-Type")).contains("strategic-merge-patch");
    assertThat(patch.getBody().readUtf8())
        .contains("\"uid\": \"uid-kvorum-0\"", "\"type\": \"kvorum.dev/Reachable\"")
        .contains("\"status\": \"True\"");
  }

  @Test
  void aServerThatRefusesDoesNotThrow() {
    server.expect().get().withPath(POD).andReturn(403, "").always();
    gate.open(pod("kvorum-0").build());
  }
}
