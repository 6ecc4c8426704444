package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.MemberStatus;
import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many members may be evicted: one, and none while another one is rebuilt. */
@EnableKubernetesMockClient(crud = true, https = false)
class EvictionTest {
  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set up before each test
  private FakeKubernetes kubernetes;

  @SuppressWarnings("NullAway.Init") // set up before each test
  private Reconciliation operator;

  @BeforeEach
  void start() {
    kubernetes = new FakeKubernetes(client);
    operator = kubernetes.operator();
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile(40);
  }

  private void reconcile(int times) {
    for (int pass = 0; pass < times; pass++) {
      kubernetes.tick();
      operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
  }

  private PodDisruptionBudget budget() {
    return client
        .policy()
        .v1()
        .podDisruptionBudget()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(FakeKubernetes.NAME)
        .get();
  }

  private int evictable() {
    return budget().getSpec().getMaxUnavailable().getIntVal();
  }

  private List<MemberStatus> members() {
    return kubernetes.cluster().getStatus().memberStates();
  }

  @Test
  void noMemberMayBeEvictedWhileOneIsFilledAgain() {
    assertThat(evictable()).isEqualTo(1);
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    assertThat(evictable()).isZero();
    Condition degraded =
        StatusReport.condition(kubernetes.cluster().getStatus(), "Degraded").orElseThrow();
    assertThat(degraded.getReason()).isEqualTo("MemberRebuilding");
    assertThat(degraded.getMessage()).contains("kvorum-1", "no member can be evicted");
    kubernetes.silent.add("kvorum-1");
    reconcile(4);
    assertThat(evictable()).as("its last word holds").isZero();
    kubernetes.silent.clear();
    kubernetes.rebuilding.clear();
    reconcile(4);
    assertThat(evictable()).isEqualTo(1);
    assertThat(
            StatusReport.condition(kubernetes.cluster().getStatus(), "Ready")
                .orElseThrow()
                .getStatus())
        .isEqualTo("True");
  }

  @Test
  void nothingIsWrittenWhileItIsFilled() {
    kubernetes.rebuilding.add("kvorum-1");
    reconcile(4);
    String versions = versions();
    reconcile(10);
    assertThat(versions()).isEqualTo(versions);
  }

  private String versions() {
    return budget().getMetadata().getResourceVersion()
        + " "
        + kubernetes.cluster().getMetadata().getResourceVersion();
  }

  @Test
  void theStatusListsTheStateOfEachMember() {
    assertThat(members())
        .containsExactly(
            new MemberStatus("kvorum-0", MemberStatus.State.ACTIVE, 1L),
            new MemberStatus("kvorum-1", MemberStatus.State.ACTIVE, 1L),
            new MemberStatus("kvorum-2", MemberStatus.State.ACTIVE, 1L));
    kubernetes.rebuilding.add("kvorum-1");
    kubernetes.silent.add("kvorum-2");
    reconcile(4);
    assertThat(members())
        .containsExactly(
            new MemberStatus("kvorum-0", MemberStatus.State.ACTIVE, 1L),
            new MemberStatus("kvorum-1", MemberStatus.State.REBUILDING, 1L),
            new MemberStatus("kvorum-2", MemberStatus.State.ACTIVE, 1L));
  }
}
