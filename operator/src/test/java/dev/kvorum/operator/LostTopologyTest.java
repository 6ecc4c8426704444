package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.KvorumTopologySpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A topology that was deleted is created again as the nodes have it. */
class LostTopologyTest extends MockedKubernetes {
  private static final String SAVED = "kvorum.dev/topology";

  @SuppressWarnings("NullAway.Init") // set up before each test
  private KvorumTopologySpec lost;

  @BeforeEach
  void start() {
    kubernetes.create(Specs.of(4, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 60);
    kubernetes.edit(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 60);
    lost = kubernetes.topology().orElseThrow();
    assertThat(lost.epoch()).isEqualTo(4);
    client.resources(KvorumTopology.class).inNamespace(FakeKubernetes.NAMESPACE).delete();
  }

  private PersistentVolumeClaim claim() {
    return client
        .persistentVolumeClaims()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("data-kvorum-0")
        .get();
  }

  @Test
  void itIsRestoredOnceEveryNodeHasReportedItsCopy() {
    kubernetes.silent.add("kvorum-1");
    kubernetes.turns(operator, 20);
    assertThat(kubernetes.topology()).isEmpty();
    assertThat(ready().getReason()).isEqualTo("TopologyLost");
    assertThat(ready().getMessage()).contains("waits for kvorum-1");
    kubernetes.silent.clear();
    kubernetes.turns(operator, 20);
    isRestored();
  }

  private void isRestored() {
    assertThat(kubernetes.topology()).contains(lost);
    ObjectMeta metadata =
        client
            .resources(KvorumTopology.class)
            .inNamespace(FakeKubernetes.NAMESPACE)
            .withName(FakeKubernetes.NAME)
            .get()
            .getMetadata();
    assertThat(metadata.getAnnotations())
        .containsEntry("kvorum.dev/founded", "true")
        .containsEntry("kvorum.dev/replication", "3");
    assertThat(ready().getStatus()).isEqualTo("True");
  }

  @Test
  void aClusterThatIsCreatedAgainFindsItOnTheVolumes() {
    client.resource(kubernetes.cluster()).delete();
    client.resource(kubernetes.set()).delete();
    client.pods().inNamespace(FakeKubernetes.NAMESPACE).delete();
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 60);
    isRestored();
    assertThat(kubernetes.pods()).hasSize(3);
  }

  @Test
  void aSavedTopologyThatWasChangedByHandIsSavedAgain() {
    kubernetes.turns(operator, 20);
    PersistentVolumeClaim claim = claim();
    Map<String, String> annotations = claim.getMetadata().getAnnotations();
    String saved = annotations.put(SAVED, "{");
    client.resource(claim).update();
    kubernetes.turns(operator, 20);
    assertThat(claim().getMetadata().getAnnotations()).containsEntry(SAVED, saved);
  }
}
