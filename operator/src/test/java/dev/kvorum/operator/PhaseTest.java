package dev.kvorum.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.ClusterPhase;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Phase and conditions say the same, also while a pod is gone or starts. */
class PhaseTest extends MockedKubernetes {
  @BeforeEach
  void found() {
    become(Specs.of(3, "kvorum:1", "10Gi"));
  }

  private ClusterPhase phase() {
    return requireNonNull(kubernetes.cluster().getStatus().phase());
  }

  private boolean holds(String type) {
    return condition(type).getStatus().equals("True");
  }

  private void setReady(Pod pod, boolean ready) {
    client
        .resource(
            new PodBuilder(pod)
                .editStatus()
                .editFirstCondition()
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build())
        .updateStatus();
  }

  private void reconcile() {
    operator.once(FakeKubernetes.NAMESPACE, FakeKubernetes.NAME);
  }

  @Test
  void anUpdateIsInProgressUntilItsLastPodIsReady() {
    kubernetes.edit(Specs.of(3, "kvorum:2", "10Gi"));
    reconcile();
    Set<String> phases = new HashSet<>();
    List<String> contradictions = new ArrayList<>();
    for (int turn = 0; turn < 60 && !holds("Ready"); turn++) {
      Map<String, String> before = uids();
      kubernetes.tick();
      List<Pod> fresh =
          kubernetes.pods().stream()
              .filter(pod -> !pod.getMetadata().getUid().equals(before.get(name(pod))))
              .toList();
      fresh.forEach(pod -> setReady(pod, false));
      for (int look = 0; look < 3; look++) {
        reconcile();
        phases.add(phase().name());
        boolean isInProgress = holds("Ready") || holds("Progressing");
        if (!isInProgress || holds("Degraded")) {
          contradictions.add(phase() + " " + ready());
        }
      }
      fresh.forEach(pod -> setReady(pod, true));
      reconcile();
    }
    assertThat(holds("Ready")).isTrue();
    assertThat(contradictions).isEmpty();
    assertThat(phases).containsExactly("UPDATING");
  }

  @Test
  void aPodThatOthersDeleteIsMissedAtOnceAndThenStarts() {
    client.pods().inNamespace(FakeKubernetes.NAMESPACE).withName("kvorum-1").delete();
    reconcile();
    assertThat(phase()).isEqualTo(ClusterPhase.DEGRADED);
    assertThat(condition("Degraded").getMessage()).isEqualTo("kvorum-1 has no pod");
    kubernetes.tick();
    kubernetes.pods().stream()
        .filter(pod -> name(pod).equals("kvorum-1"))
        .forEach(pod -> setReady(pod, false));
    reconcile();
    assertThat(condition("Progressing").getReason()).isEqualTo("MemberStarting");
    assertThat(holds("Progressing")).isTrue();
    assertThat(holds("Degraded")).isFalse();
    assertThat(phase()).isEqualTo(ClusterPhase.UPDATING);
  }

  @Test
  void membersThatAllHaveLostTheirDataWaitForAPerson() {
    kubernetes.blank.addAll(List.of("kvorum-0", "kvorum-1"));
    kubernetes.turns(operator, 4);
    assertThat(condition("Degraded").getReason()).isEqualTo("MemberRebuilding");
    kubernetes.blank.add("kvorum-2");
    kubernetes.turns(operator, 4);
    assertThat(phase()).isEqualTo(ClusterPhase.DEGRADED);
    assertThat(ready().getStatus()).isEqualTo("False");
    assertThat(ready().getReason()).isEqualTo("NoMemberHasData");
    assertThat(condition("Degraded").getReason()).isEqualTo("NoMemberHasData");
    assertThat(condition("Stalled").getStatus()).isEqualTo("True");
    assertThat(condition("Degraded").getMessage())
        .contains("pod/kvorum-0 8090", "curl -X DELETE localhost:8090/actuator/kvorum/lost-disks");
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .filteredOn(event -> event.getReason().equals("NoMemberHasData"))
        .extracting(Event::getType)
        .containsExactly("Warning");
    kubernetes.blank.clear();
    kubernetes.turns(operator, 4);
    assertThat(phase()).isEqualTo(ClusterPhase.READY);
  }
}
