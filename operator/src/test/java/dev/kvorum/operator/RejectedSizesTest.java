package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that rejects volumes a larger size holds up nothing else. */
class RejectedSizesTest extends MockedKubernetes {
  private static final String QUOTA = "exceeded quota: storage";

  private Instant now = Instant.parse("2026-06-01T00:00:00Z");
  private int code = 403;
  private int rejected;

  @BeforeEach
  void start() {
    operator = kubernetes.operator(kubernetes.door(this::reject), () -> now);
  }

  private void reject(Object written) {
    if (code != 0
        && written instanceof PersistentVolumeClaim claim
        && claim.getSpec().getResources().getRequests().containsValue(new Quantity("20Gi"))) {
      rejected++;
      throw new KubernetesClientException(
          "Failure executing: PUT",
          code,
          new StatusBuilder().withCode(code).withMessage(QUOTA).build());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422})
  void anApiThatRejectsASizeBlocksNothingElse(int rejection) {
    code = rejection;
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    assertThat(ready().getStatus()).isEqualTo("True");
    kubernetes.edit(Specs.of(4, "kvorum:1", "20Gi"));
    kubernetes.turns(operator, 40);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    assertThat(ready().getStatus()).isEqualTo("False");
    assertThat(ready().getReason()).isEqualTo("VolumeCannotGrow");
    assertThat(ready().getMessage()).contains("data-kvorum-0", QUOTA);
    assertThat(events()).containsOnlyOnce(ready().getMessage());
  }

  @Test
  void aRejectedSizeIsAskedForAgainAfterAWhileAndNotAtEveryPoll() {
    code = 422;
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 40);
    kubernetes.edit(Specs.of(3, "kvorum:1", "20Gi"));
    kubernetes.turns(operator, 40);
    assertThat(rejected).isEqualTo(3);
    now = now.plus(Rejections.AGAIN_AFTER);
    kubernetes.turns(operator, 5);
    assertThat(rejected).isEqualTo(6);
    code = 0;
    now = now.plus(Rejections.AGAIN_AFTER);
    kubernetes.turns(operator, 20);
    assertThat(ready().getStatus()).isEqualTo("True");
    assertThat(
            kubernetes
                .set()
                .getSpec()
                .getVolumeClaimTemplates()
                .getFirst()
                .getSpec()
                .getResources()
                .getRequests())
        .containsValue(new Quantity("20Gi"));
  }

  private List<String> events() {
    return client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems().stream()
        .map(Event::getMessage)
        .toList();
  }
}
