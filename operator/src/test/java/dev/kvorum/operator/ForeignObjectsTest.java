package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTopology;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects of another owner or cluster under a name that the cluster needs. */
class ForeignObjectsTest extends MockedKubernetes {
  private void reconcile() {
    kubernetes.turns(operator, 40);
  }

  private void isNamed(String object) {
    assertThat(ready().getReason()).isEqualTo("ForeignObject");
    assertThat(ready().getMessage()).contains(object);
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .filteredOn(event -> event.getReason().equals("ForeignObject"))
        .extracting(Event::getMessage)
        .singleElement()
        .asString()
        .contains(object);
  }

  private Service service() {
    return client
        .services()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(FakeKubernetes.NAME)
        .get();
  }

  private <T extends HasMetadata> String created(T object) {
    return client.resource(object).create().getMetadata().getResourceVersion();
  }

  private static Service foreignService() {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(FakeKubernetes.NAME)
        .withNamespace(FakeKubernetes.NAMESPACE)
        .addToLabels("app.kubernetes.io/instance", FakeKubernetes.NAME)
        .addToLabels("app.kubernetes.io/managed-by", "Helm")
        .endMetadata()
        .withNewSpec()
        .withSelector(Map.of("app", "shop"))
        .endSpec()
        .build();
  }

  @Test
  void aClusterIsNotBegunOverAServiceOfSomebodyElse() {
    String version = created(foreignService());
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    isNamed("Service/kvorum");
    assertThat(service().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(kubernetes.set()).isNull();
    client.resource(service()).delete();
    reconcile();
    assertThat(ready().getStatus()).isEqualTo("True");
  }

  @Test
  void aBudgetOfSomebodyElseIsNoneOfTheBusinessOfAMemberAlone() {
    PodDisruptionBudget foreign =
        new PodDisruptionBudgetBuilder()
            .withNewMetadata()
            .withName(FakeKubernetes.NAME)
            .withNamespace(FakeKubernetes.NAMESPACE)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .build();
    String version = created(foreign);
    kubernetes.create(Specs.alone());
    reconcile();
    assertThat(ready().getStatus()).isEqualTo("True");
    assertThat(client.resource(foreign).get().getMetadata().getResourceVersion())
        .isEqualTo(version);
  }

  @Test
  void aClusterThatWasRejectedWhatWasKeptMayBeginWithoutIt() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    client.resource(kubernetes.cluster()).delete();
    client.resource(kubernetes.set()).delete();
    client.pods().inNamespace(FakeKubernetes.NAMESPACE).delete();
    kubernetes.create(Specs.alone());
    reconcile();
    assertThat(ready().getReason()).isEqualTo("ReplicationChanged");
    client.resources(KvorumTopology.class).inNamespace(FakeKubernetes.NAMESPACE).delete();
    client.persistentVolumeClaims().inNamespace(FakeKubernetes.NAMESPACE).delete();
    reconcile();
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
  }

  @Test
  void aStatefulSetOfSomebodyElseIsNotTakenOver() {
    StatefulSet foreign =
        new StatefulSetBuilder()
            .withNewMetadata()
            .withName(FakeKubernetes.NAME)
            .withNamespace(FakeKubernetes.NAMESPACE)
            .endMetadata()
            .withNewSpec()
            .withReplicas(0)
            .withNewTemplate()
            .withNewSpec()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    String version = created(foreign);
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    isNamed("StatefulSet/kvorum");
    assertThat(kubernetes.set().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(service()).isNull();
  }

  @Test
  void aRunningClusterIsReconciledBesideAForeignService() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    client.resource(service()).delete();
    String version = created(foreignService());
    kubernetes.edit(Specs.of(4, "kvorum:1", "10Gi"));
    reconcile();
    isNamed("Service/kvorum");
    assertThat(service().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
  }

  @Test
  void aClusterCreatedAgainContinuesWithWhatTheLastOneLeft() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    client.resource(kubernetes.cluster()).delete();
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    goesOn();
    // As kubectl delete --cascade=orphan leaves it.
    client.resource(kubernetes.cluster()).delete();
    for (HasMetadata left : List.of(service(), kubernetes.set())) {
      left.getMetadata().setOwnerReferences(List.of());
      client.resource(left).update();
    }
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    Map<String, String> pods = uids();
    reconcile();
    goesOn();
    assertThat(kubernetes.set().getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getUid)
        .containsExactly(kubernetes.cluster().getMetadata().getUid());
    assertThat(uids()).as("no pod is restarted").isEqualTo(pods);
  }

  @Test
  void aStatefulSetWithTheIdOfAnotherClusterStaysWithoutAnOwner() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    reconcile();
    StatefulSet left = kubernetes.set();
    left.getMetadata().setOwnerReferences(List.of());
    left.getMetadata().getAnnotations().remove("kvorum.dev/template");
    left.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv().stream()
        .filter(it -> it.getName().equals("KVORUM_CLUSTER_ID"))
        .forEach(it -> it.setValue("another-id"));
    client.resource(left).update();
    reconcile();
    assertThat(kubernetes.set().getMetadata().getOwnerReferences()).isEmpty();
  }

  private void goesOn() {
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(kubernetes.topology().orElseThrow().epoch()).isEqualTo(1);
    assertThat(service().getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getUid)
        .containsExactly(kubernetes.cluster().getMetadata().getUid());
  }
}
