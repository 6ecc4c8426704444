package dev.kvorum.operator;

import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import org.junit.jupiter.api.BeforeEach;

/** A mock API server, what else acts on it, and an operator, which a test may replace. */
@EnableKubernetesMockClient(crud = true, https = false)
@SuppressWarnings("NullAway.Init") // by the extension, and before each test
abstract class MockedKubernetes {
  KubernetesClient client;
  FakeKubernetes kubernetes;
  Reconciliation operator;

  @BeforeEach
  void prepare() {
    kubernetes = new FakeKubernetes(client);
    operator = kubernetes.operator();
  }

  Condition condition(String type) {
    return StatusReport.condition(kubernetes.cluster().getStatus(), type).orElseThrow();
  }

  Condition ready() {
    return condition("Ready");
  }
}
