package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A template that another client changes, as {@code kubectl set image} does. */
class ChangedTemplateTest extends MockedKubernetes {
  @BeforeEach
  void begin() {
    become(Specs.of(3, "kvorum:1", "10Gi"));
  }

  private void setImage(String image) {
    StatefulSet changed = changeImage(image);
    changed.setStatus(
        new StatefulSetStatusBuilder()
            .withReplicas(3)
            .withUpdateRevision(FakePods.revision(changed))
            .build());
    client.resource(changed).updateStatus();
  }

  private void isPutBack() {
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(image(kubernetes.set())).isEqualTo("kvorum:1");
    assertThat(kubernetes.pods())
        .allMatch(pod -> pod.getSpec().getContainers().getFirst().getImage().equals("kvorum:1"));
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .filteredOn(event -> event.getReason().equals("PutBack"))
        .extracting(Event::getMessage)
        .anyMatch(message -> message.contains("changed by hand"));
  }

  private static String image(StatefulSet set) {
    return set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  @Test
  void itIsPutBackWithoutARestart() {
    Map<String, String> pods = uids();
    setImage("kvorum:3");
    kubernetes.turns(operator, 40);
    isPutBack();
    assertThat(uids()).isEqualTo(pods);
    setImage("kvorum:3");
    kubernetes.turns(operator, 40);
    isPutBack();
    assertThat(uids()).as("again").isEqualTo(pods);
  }

  @Test
  void podsThatWereCreatedFromItAreReplaced() {
    Map<String, String> pods = uids();
    setImage("kvorum:3");
    client.pods().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-1").delete();
    kubernetes.tick();
    kubernetes.tick();
    kubernetes.turns(operator, 40);
    isPutBack();
    pods.remove("kvorum-1");
    assertThat(uids()).as("the others").containsAllEntriesOf(pods);
  }

  @Test
  void whatAnAdmissionPluginMakesOfItIsLeft() {
    operator = kubernetes.operator(kubernetes.door(this::admit), java.time.InstantSource.system());
    become(Specs.of(3, "kvorum:2", "10Gi"));
    assertThat(image(kubernetes.set())).isEqualTo("mirror/kvorum:2");
  }

  private void admit(Object written) {
    if (written instanceof StatefulSet set && image(set).equals("kvorum:2")) {
      set.getSpec().getTemplate().getSpec().getContainers().getFirst().setImage("mirror/kvorum:2");
    }
  }
}
