package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.act.KubernetesWrites;
import io.fabric8.kubernetes.api.model.EventListBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a pod is not created, or gets no volume, is reported in its cluster's status. */
class UnmadePodsTest extends MockedKubernetes {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @BeforeEach
  void start() {
    operator = kubernetes.operator(new KubernetesWrites(client), () -> NOW);
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
  }

  private void reconcile() {
    for (int pass = 0; pass < 40; pass++) {
      operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
    }
  }

  private String message() {
    return ready().getMessage();
  }

  @Test
  void reportsAForbiddenPod() {
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/test/events?fieldSelector=involvedObject.kind%3DStatefulSet"
                + "%2CinvolvedObject.name%3Dkvorum%2Ctype%3DWarning")
        .andReturn(
            200,
            new EventListBuilder()
                .addNewItem()
                .withMessage("create Pod kvorum-0: exceeded quota")
                .withLastTimestamp(NOW.toString())
                .endItem()
                .build())
        .always();
    reconcile();
    assertThat(message()).isEqualTo("waits for pod kvorum-0: create Pod kvorum-0: exceeded quota");
  }

  @Test
  void aMissingStorageClassIsReported() {
    kubernetes.claimPhase = "Pending";
    kubernetes.absentImages.add("kvorum:1");
    reconcile();
    kubernetes.tick();
    reconcile();
    assertThat(message())
        .isEqualTo(
            "waits for pod kvorum-0 to run: data-kvorum-0 has no volume: there is no default"
                + " storage class");
    client
        .resource(
            new StorageClassBuilder()
                .withNewMetadata()
                .withName("standard")
                .addToAnnotations("storageclass.kubernetes.io/is-default-class", "true")
                .endMetadata()
                .withProvisioner("csi")
                .build())
        .create();
    reconcile();
    assertThat(message()).contains("the image kvorum:1 cannot be pulled");
  }
}
