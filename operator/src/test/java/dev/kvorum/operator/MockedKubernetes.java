package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.report.StatusReport;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.util.HashMap;
import java.util.Map;
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

  /** Until the cluster has become what a spec asks for. */
  void become(KvorumClusterSpec spec) {
    if (kubernetes.cluster() == null) {
      kubernetes.create(spec);
    } else {
      kubernetes.edit(spec);
    }
    kubernetes.turns(operator, 100);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
  }

  Secret secret(String name) {
    return client.secrets().inNamespace(FakeKubernetes.NAMESPACE).withName(name).get();
  }

  void createSecret(String name, Map<String, String> data, OwnerReference... owners) {
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(FakeKubernetes.NAMESPACE)
                .withOwnerReferences(owners)
                .endMetadata()
                .withData(data)
                .build())
        .create();
  }

  /** Another client changes the template, as {@code kubectl set image} does. */
  StatefulSet changeImage(String image) {
    return client
        .resource(kubernetes.set())
        .edit(there ->
            new StatefulSetBuilder(there)
                .editSpec()
                .editTemplate()
                .editSpec()
                .editFirstContainer()
                .withImage(image)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());
  }

  /** What an API server says to an operator without the right to write Secrets. */
  static KubernetesClientException noSecrets() {
    return new KubernetesClientException(
        "Failure executing: POST", 403, new StatusBuilder().withMessage("no Secrets").build());
  }

  /** By name; a pod that is restarted has another one. */
  Map<String, String> uids() {
    Map<String, String> uids = new HashMap<>();
    kubernetes.pods().forEach(pod -> uids.put(name(pod), pod.getMetadata().getUid()));
    return uids;
  }

  static String name(Pod pod) {
    return pod.getMetadata().getName();
  }

  /** The settings of a pod's node for TLS. */
  static Map<String, String> tls(Pod pod) {
    Container node = pod.getSpec().getContainers().getFirst();
    Map<String, String> tls = new HashMap<>();
    for (EnvVar variable : node.getEnv()) {
      if (variable.getName().startsWith("KVORUM_TLS_")) {
        tls.put(variable.getName().substring("KVORUM_TLS_".length()), variable.getValue());
      }
    }
    return tls;
  }
}
