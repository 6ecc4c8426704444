package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumTopology;
import dev.kvorum.operator.api.TaskPhase;
import dev.kvorum.operator.api.TopologyMember;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task removes a lost member, and its status describes the progress. */
class RemovalTaskTest extends MockedKubernetes {
  @SuppressWarnings("NullAway.Init") // set up before each test
  private FakeTasks tasks;

  @BeforeEach
  void start() {
    tasks = new FakeTasks(client);
    kubernetes.create(Specs.of(4, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 60);
  }

  private Condition of(String member, String type) {
    return Conditions.find(tasks.status(member).conditions(), type).orElseThrow();
  }

  @Test
  void aLostMemberIsRemovedOnceAndItsNameJoinsAgain() {
    kubernetes.silent.add("kvorum-1");
    tasks.remove("kvorum-1");
    kubernetes.turns(operator, 30);
    assertThat(tasks.status("kvorum-1").phase()).isEqualTo(TaskPhase.COMPLETE);
    assertThat(tasks.status("kvorum-1").startedAt()).isNotNull();
    assertThat(of("kvorum-1", "Complete").getStatus()).isEqualTo("True");
    assertThat(kubernetes.topology().orElseThrow().members())
        .extracting(TopologyMember::name)
        .containsExactly("kvorum-0", "kvorum-2", "kvorum-3");
    assertThat(ready().getMessage()).isEqualTo("waits for pod kvorum-1 to respond");
    kubernetes.silent.clear();
    kubernetes.turns(operator, 30);
    assertThat(kubernetes.topology().orElseThrow().members()).hasSize(4);
    assertThat(ready().getStatus()).isEqualTo("True");
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .extracting(Event::getReason)
        .contains("Removing", "Removed");
  }

  @Test
  void tasksWaitForEachOtherAndForTheHealthOfOthers() {
    kubernetes.silent.add("kvorum-1");
    kubernetes.rebuilding.add("kvorum-2");
    tasks.remove("kvorum-1");
    tasks.remove("kvorum-3");
    kubernetes.turns(operator, 5);
    assertThat(tasks.status("kvorum-1").phase()).isEqualTo(TaskPhase.WAITING);
    assertThat(of("kvorum-1", "Complete").getReason()).isEqualTo("MemberRebuilding");
    assertThat(of("kvorum-3", "Complete").getMessage())
        .isEqualTo("waits for the end of task remove-kvorum-1");
    kubernetes.rebuilding.clear();
    kubernetes.turns(operator, 30);
    assertThat(tasks.status("kvorum-1").phase()).isEqualTo(TaskPhase.COMPLETE);
    assertThat(tasks.status("kvorum-3").phase()).isEqualTo(TaskPhase.FAILED);
    assertThat(of("kvorum-3", "Failed").getReason()).isEqualTo("MemberRunning");
  }

  @Test
  void aStepThatFailsIsReportedByItsTask() {
    kubernetes.silent.add("kvorum-1");
    tasks.remove("kvorum-1");
    Reconciliation rejected =
        kubernetes.operator(
            kubernetes.door(what -> {
              if (what instanceof KvorumTopology) {
                throw new KubernetesClientException("no such state", 422, null);
              }
            }),
            InstantSource.system());
    kubernetes.turns(rejected, 5);
    assertThat(tasks.status("kvorum-1").phase()).isEqualTo(TaskPhase.RUNNING);
    assertThat(of("kvorum-1", "Complete").getMessage())
        .isEqualTo("NextEpoch failed: no such state");
  }
}
