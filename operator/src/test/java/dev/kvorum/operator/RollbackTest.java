package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.ClusterPhase;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An update whose first pod does not become ready, and what becomes of the cluster. */
class RollbackTest extends MockedKubernetes {
  private static final KvorumClusterSpec GOOD = Specs.of(3, "kvorum:1", "10Gi");
  private static final KvorumClusterSpec BROKEN = Specs.withDeadline(GOOD, FakePods.BROKEN, "10m");

  private Map<String, String> before = Map.of();

  @BeforeEach
  void begin() {
    become(GOOD);
    before = uids();
  }

  private void stall(KvorumClusterSpec spec) {
    kubernetes.edit(spec);
    kubernetes.turns(operator, 60);
    assertThat(condition("Degraded").getReason()).isEqualTo("UpdateStalled");
    assertThat(images()).containsOnlyOnce(FakePods.BROKEN);
  }

  private void elevenMinutesLater() {
    operator =
        kubernetes.operator(
            kubernetes.writes(client),
            InstantSource.offset(InstantSource.system(), Duration.ofMinutes(11)));
    kubernetes.turns(operator, 60);
  }

  private List<String> images() {
    return kubernetes.pods().stream().map(RollbackTest::image).toList();
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().getFirst().getImage();
  }

  private void assertIsBack() {
    assertThat(images()).hasSize(3).containsOnly("kvorum:1");
    Map<String, String> others = uids();
    others.remove("kvorum-2");
    assertThat(before).as("the others").containsAllEntriesOf(others);
    assertThat(ready().getReason()).isEqualTo("RolledBack");
    assertThat(ready().getMessage()).contains("kvorum-2: its container ended with exit code 1");
    assertThat(List.of("Ready", "Progressing", "Degraded", "Reconciling", "Stalled"))
        .map(type -> condition(type).getStatus())
        .containsExactly("False", "False", "False", "False", "True");
    assertThat(condition("Progressing").getReason()).isEqualTo("RolledBack");
    assertThat(kubernetes.cluster().getStatus().phase()).isEqualTo(ClusterPhase.REJECTED);
  }

  @Test
  void allMembersAreBackWithTheirFormerTemplateUntilTheSpecIsChanged() {
    stall(BROKEN);
    elevenMinutesLater();
    assertIsBack();
    Map<String, String> back = uids();
    kubernetes.turns(operator, 20);
    assertThat(uids()).as("once").isEqualTo(back);
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .filteredOn(event -> event.getReason().equals("RolledBack"))
        .extracting(Event::getType)
        .containsExactlyInAnyOrder("Normal", "Warning");

    kubernetes.edit(Specs.withDeadline(Specs.of(4, "kvorum:1", "10Gi"), FakePods.BROKEN, "10m"));
    kubernetes.turns(operator, 100);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    assertThat(images()).hasSize(4).containsOnly("kvorum:1");

    become(Specs.of(4, "kvorum:3", "10Gi"));
    assertThat(images()).containsOnly("kvorum:3");
    assertThat(kubernetes.set().getMetadata().getAnnotations())
        .containsKey("kvorum.dev/fallback")
        .doesNotContainKeys("kvorum.dev/failed-update", "kvorum.dev/failed-update-why");
  }

  @Test
  void theFormerSpecEndsIt() {
    stall(BROKEN);
    elevenMinutesLater();
    Map<String, String> back = uids();
    become(GOOD);
    assertThat(uids()).as("nothing is restarted").isEqualTo(back);
  }

  @Test
  void aChangeByHandIsRevertedToTheFormerTemplate() {
    stall(BROKEN);
    elevenMinutesLater();
    changeImage("kvorum:9");
    kubernetes.turns(operator, 40);
    StatefulSet set = kubernetes.set();
    assertThat(set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage())
        .isEqualTo("kvorum:1");
    assertIsBack();
  }

  @Test
  void anotherProfileIsNotTakenBack() {
    stall(Specs.secured(BROKEN, "standard"));
    assertThat(ready().getMessage()).contains("it changes how connections are secured");
    elevenMinutesLater();
    assertThat(images()).contains(FakePods.BROKEN);
    assertThat(condition("Stalled").getReason()).isEqualTo("UpdateStalled");
  }

  @Test
  void aFallbackThatSomebodyHasSpoiledIsNone() {
    stall(BROKEN);
    client
        .resource(kubernetes.set())
        .edit(there ->
            new StatefulSetBuilder(there)
                .editMetadata()
                .addToAnnotations("kvorum.dev/fallback", "[spoiled")
                .endMetadata()
                .build());
    elevenMinutesLater();
    assertThat(ready().getMessage()).contains("no earlier template is known");
  }
}
