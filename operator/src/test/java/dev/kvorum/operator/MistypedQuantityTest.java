package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import org.junit.jupiter.api.Test;

/** Where no API server has validated a spec, a mistyped quantity is reported. */
@EnableKubernetesMockClient(crud = true, https = false)
class MistypedQuantityTest {
  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private Condition readyOf(KvorumClusterSpec... edits) {
    FakeKubernetes kubernetes = new FakeKubernetes(client);
    Reconciliation operator = kubernetes.operator();
    kubernetes.create(edits[0]);
    for (KvorumClusterSpec edit : edits) {
      kubernetes.edit(edit);
      kubernetes.turns(operator, 30);
    }
    return StatusReport.condition(kubernetes.cluster().getStatus(), "Ready").orElseThrow();
  }

  private static void saysWhatIsMistyped(Condition ready, String what) {
    assertThat(ready.getStatus()).isEqualTo("False");
    assertThat(ready.getReason()).isEqualTo("InvalidQuantity");
    assertThat(ready.getMessage()).contains(what);
  }

  @Test
  void aNewClusterReportsWhatIsMistyped() {
    saysWhatIsMistyped(readyOf(Specs.withMemory("")), "resources.limits.memory: ''");
    assertThat(client.apps().statefulSets().inAnyNamespace().list().getItems()).isEmpty();
  }

  @Test
  void aRunningClusterStaysAndReportsWhatIsMistyped() {
    saysWhatIsMistyped(
        readyOf(Specs.of(3, "kvorum:1", "10Gi"), Specs.withMemory("768MB")), "768MB");
    assertThat(client.pods().inAnyNamespace().list().getItems()).hasSize(3);
  }

  @Test
  void aMistypedSizeOfVolumesLeavesThemAlone() {
    saysWhatIsMistyped(
        readyOf(Specs.of(3, "kvorum:1", "10Gi"), Specs.of(3, "kvorum:1", "20GB")),
        "storage.size: '20GB'");
  }
}
