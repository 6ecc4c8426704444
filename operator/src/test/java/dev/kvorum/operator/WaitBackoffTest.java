package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How soon a cluster is looked at again that waits for something. */
@EnableKubernetesMockClient(crud = true, https = false)
class WaitBackoffTest {
  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");

  @Test
  void whatTakesLongIsAskedForMoreSeldomUntilSomethingIsDone() {
    FakeKubernetes kubernetes = new FakeKubernetes(client);
    Reconciliation operator = kubernetes.operator(kubernetes.door(written -> {}), () -> now);
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    Duration next = Duration.ZERO;
    for (int look = 0; look < 20; look++) {
      next = operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
    assertThat(next).as("waits for pods").isEqualTo(Reconciliation.SOON);
    now = now.plus(WaitBackoff.SHORT).minusMillis(1);
    assertThat(operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME))
        .isEqualTo(Reconciliation.SOON);
    now = now.plusMillis(1);
    assertThat(operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME))
        .isEqualTo(Reconciliation.LATER);
    kubernetes.edit(Specs.of(4, "kvorum:1", "10Gi"));
    for (String step : List.of("updates the Role", "scales the StatefulSet")) {
      assertThat(operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME))
          .as(step)
          .isEqualTo(Reconciliation.AT_ONCE);
    }
    assertThat(operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME))
        .as("waits again")
        .isEqualTo(Reconciliation.SOON);
  }
}
