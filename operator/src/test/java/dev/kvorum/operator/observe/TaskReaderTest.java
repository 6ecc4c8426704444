package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTaskSpec;
import dev.kvorum.operator.api.TaskAction;
import dev.kvorum.operator.view.TaskView;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskReaderTest {
  private static final String NOON = "2026-01-01T12:00:00Z";

  private static ObjectMeta created(String time) {
    return new ObjectMetaBuilder().withName("it").withCreationTimestamp(time).build();
  }

  private static TaskView view(String time) {
    KvorumTask task = new KvorumTask();
    task.setMetadata(created(time));
    task.setSpec(new KvorumTaskSpec("kvorum", TaskAction.REMOVE, "kvorum-1"));
    KvorumCluster cluster = new KvorumCluster();
    cluster.setMetadata(created(NOON));
    return TaskReader.first(List.of(task), cluster).orElseThrow();
  }

  @Test
  void aTaskThatIsOlderThanTheClusterIsOutdated() {
    assertThat(view("2026-01-01T11:59:59Z").outdated()).isTrue();
    assertThat(view(NOON).outdated()).isFalse();
  }

  @Test
  void anActionOfANewerOperatorIsReadAsNone() {
    assertThat(action("Polish")).isNull();
    assertThat(action("Remove")).isEqualTo(TaskAction.REMOVE);
  }

  private static @Nullable TaskAction action(String name) {
    return Serialization.unmarshal("{\"action\": \"" + name + "\"}", KvorumTaskSpec.class).action();
  }
}
