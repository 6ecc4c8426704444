package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.CertificatesStatus;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.resources.IssuedCertificate;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An API server that rejects one object holds up nothing else. */
class RejectedObjectsTest extends MockedKubernetes {
  private static final String POLICY = "budgets are forbidden here";

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");
  private boolean rejects = true;
  private Class<?> rejectedKind = PodDisruptionBudget.class;
  private int code = 403;
  private int rejected;

  @BeforeEach
  void start() {
    operator = kubernetes.operator(kubernetes.door(this::reject), () -> now);
  }

  private void reject(Object written) {
    if (rejects && rejectedKind.isInstance(written)) {
      rejected++;
      throw new KubernetesClientException(
          "Failure executing: POST", code, new StatusBuilder().withMessage(POLICY).build());
    }
  }

  @Test
  void anObjectThatIsRejectedBlocksNothingElseAndIsReported() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    kubernetes.edit(Specs.of(4, "kvorum:1", "20Gi"));
    kubernetes.turns(operator, 40);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    assertThat(
            client.persistentVolumeClaims().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .hasSize(4)
        .extracting(RejectedObjectsTest::size)
        .containsOnly(Map.of("storage", new Quantity("20Gi")));
    assertThat(ready().getReason()).isEqualTo("ObjectRejected");
    assertThat(ready().getMessage()).contains("PodDisruptionBudget/kvorum", POLICY);
    assertThat(events()).filteredOn(said -> said.contains(POLICY)).hasSize(1);
  }

  @Test
  void aJobThatIsRejectedHoldsNoUpdateUp() {
    rejectedKind = Job.class;
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    kubernetes.edit(Specs.of(4, "kvorum:2", "10Gi"));
    kubernetes.turns(operator, 60);
    assertThat(rejected).isPositive();
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(kubernetes.pods())
        .hasSize(4)
        .allMatch(pod -> pod.getSpec().getContainers().getFirst().getImage().equals("kvorum:2"));
  }

  @Test
  void whatNothingIsDoneWithoutFailsInTheWordsOfTheApiServer() {
    rejectedKind = StatefulSet.class;
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 20);
    assertThat(ready().getReason()).isEqualTo("Failed");
    assertThat(ready().getMessage()).isEqualTo("CreateStatefulSet failed: " + POLICY);
  }

  private static Map<String, Quantity> size(PersistentVolumeClaim claim) {
    return claim.getSpec().getResources().getRequests();
  }

  @Test
  void anObjectWithoutADefinitionIsRejected() {
    rejectedKind = IssuedCertificate.class;
    code = 404;
    KvorumClusterSpec plain = Specs.of(3, "kvorum:1", "10Gi");
    become(plain);
    kubernetes.edit(Specs.withIssuer(Specs.secured(plain, "standard"), "company"));
    kubernetes.turns(operator, 60);
    assertThat(rejected).as("once a minute").isEqualTo(1);
    assertThat(ready().getReason()).isEqualTo("ObjectRejected");
    assertThat(ready().getMessage())
        .contains("Certificate/kvorum-http", "the API server has no definition of its kind");
    assertThat(kubernetes.cluster().getStatus().certificates())
        .extracting(CertificatesStatus::pending)
        .isNotNull();
  }

  @Test
  void itIsAskedForAgainAfterAWhile() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    // Once before the cluster was founded, and again for the number of its members.
    assertThat(rejected).isEqualTo(2);
    kubernetes.turns(operator, 5);
    assertThat(rejected).isEqualTo(2);
    now = now.plus(Rejections.AGAIN_AFTER);
    kubernetes.turns(operator, 5);
    assertThat(rejected).isEqualTo(3);
    rejects = false;
    now = now.plus(Rejections.AGAIN_AFTER);
    kubernetes.turns(operator, 5);
    assertThat(ready().getStatus()).isEqualTo("True");
  }

  private List<String> events() {
    return client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems().stream()
        .map(Event::getMessage)
        .toList();
  }
}
