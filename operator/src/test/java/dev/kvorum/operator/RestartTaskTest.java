package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumTaskSpec;
import dev.kvorum.operator.api.KvorumTaskStatus;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.api.TaskPhase;
import io.fabric8.kubernetes.api.model.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A task restarts one member; the operator is another one at each turn. */
class RestartTaskTest extends MockedKubernetes {
  @Test
  void oneMemberIsRestartedOnce() {
    kubernetes.create(Specs.of(3, "kvorum:1", "10Gi"));
    kubernetes.turns(operator, 60);
    Map<String, String> before = uids();
    FakeTasks tasks = new FakeTasks(client);
    tasks.create("again", new KvorumTaskSpec(FakeKubernetes.NAME, TaskAction.RESTART, "kvorum-1"));
    for (int turn = 0; turn < 30; turn++) {
      kubernetes.turns(kubernetes.operator(), 1);
    }
    KvorumTaskStatus status = tasks.named("again").known();
    assertThat(status.phase()).isEqualTo(TaskPhase.COMPLETE);
    assertThat(status.replacedUid()).isEqualTo(before.get("kvorum-1"));
    Map<String, String> after = uids();
    assertThat(after.remove("kvorum-1")).isNotEqualTo(before.remove("kvorum-1"));
    assertThat(after).isEqualTo(before);
    assertThat(client.v1().events().inNamespace(FakeKubernetes.NAMESPACE).list().getItems())
        .extracting(Event::getReason)
        .contains("RestartingPod", "Restarted");
  }
}
