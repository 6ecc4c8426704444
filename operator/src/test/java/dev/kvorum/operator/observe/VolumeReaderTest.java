package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.view.VolumeGrowth;
import dev.kvorum.operator.view.VolumeView;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnableKubernetesMockClient(crud = true, https = false)
@SuppressWarnings("NullAway.Init") // by the extension
class VolumeReaderTest {
  private static final long GIB = 1L << 30;

  KubernetesClient client;

  private VolumeView view(PersistentVolumeClaimStatus status) {
    return Objects.requireNonNull(
        new VolumeReader(
                new Reads(client, Instant.EPOCH), Specs.cluster(Specs.of(3, "kvorum:1", "20Gi")))
            .views(
                Map.of(
                    "data-kvorum-1",
                    new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data-kvorum-1")
                        .endMetadata()
                        .withNewSpec()
                        .withNewResources()
                        .addToRequests("storage", new Quantity("20Gi"))
                        .endResources()
                        .endSpec()
                        .withStatus(status)
                        .build()))
            .get(1));
  }

  private static PersistentVolumeClaimStatusBuilder small() {
    return new PersistentVolumeClaimStatusBuilder()
        .withPhase("Bound")
        .addToCapacity("storage", new Quantity("10Gi"));
  }

  @Test
  void itIsAsLargeAsItsVolume() {
    assertThat(view(small().build()).sizeBytes()).isEqualTo(10 * GIB);
    assertThat(view(small().build()).growth()).isEqualTo(VolumeGrowth.NOT_REPORTED);
    assertThat(view(new PersistentVolumeClaimStatus()).sizeBytes()).isEqualTo(20 * GIB);
  }

  @ParameterizedTest
  @CsvSource({
    "Resizing,,RESIZING",
    "FileSystemResizePending,,FILE_SYSTEM_PENDING",
    "Resizing,ControllerResizeInProgress,RESIZING",
    "FileSystemResizePending,NodeResizePending,FILE_SYSTEM_PENDING",
    "ControllerResizeError,ControllerResizeInProgress,FAILING",
    "NodeResizeError,,FAILING",
    "ControllerResizeError,ControllerResizeInfeasible,INFEASIBLE",
    "Resizing,NodeResizeInfeasible,INFEASIBLE",
  })
  void whatKubernetesReportsOfItsGrowthIsKnown(
      String condition, String state, VolumeGrowth growth) {
    PersistentVolumeClaimStatusBuilder status =
        small().addNewCondition().withType(condition).withStatus("True").endCondition();
    if (state != null) {
      status.addToAllocatedResourceStatuses("storage", state);
    }
    assertThat(view(status.build()).growth()).isEqualTo(growth);
  }
}
