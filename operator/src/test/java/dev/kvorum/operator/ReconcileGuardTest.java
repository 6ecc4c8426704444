package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconcileGuardTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ReconcileGuard guard = new ReconcileGuard(new OperatorMeters(registry));

  @Test
  void anErrorOfAnyKindIsCountedAndFollowedByAnotherRead() {
    for (RuntimeException error :
        List.of(
            new KubernetesClientException("away"), new IllegalArgumentException("unforeseen"))) {
      Duration next =
          guard.run(
              "kvorum",
              () -> {
                throw error;
              });
      assertThat(next).isPositive();
    }
    assertThat(registry.counter("kvorum.operator.failures").count()).isEqualTo(2);
  }
}
