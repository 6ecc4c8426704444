package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumTask;
import dev.kvorum.operator.api.KvorumTaskSpec;
import dev.kvorum.operator.api.KvorumTaskStatus;
import dev.kvorum.operator.api.TaskAction;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Tasks to remove members, one for each. */
record FakeTasks(KubernetesClient client) {
  void remove(String member) {
    create("remove-" + member, spec(member));
  }

  void create(String name, KvorumTaskSpec spec) {
    KvorumTask task = new KvorumTask();
    task.setMetadata(
        new ObjectMetaBuilder().withName(name).withNamespace(FakeKubernetes.NAMESPACE).build());
    task.setSpec(spec);
    client.resource(task).create();
  }

  /** Changes which member a task is for. */
  void retarget(String member, String other) {
    KvorumTask task = of(member);
    task.setSpec(spec(other));
    client.resource(task).update();
  }

  KvorumTaskStatus status(String member) {
    return of(member).known();
  }

  KvorumTask of(String member) {
    return named("remove-" + member);
  }

  KvorumTask named(String name) {
    return client
        .resources(KvorumTask.class)
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName(name)
        .get();
  }

  private static KvorumTaskSpec spec(String member) {
    return new KvorumTaskSpec(FakeKubernetes.NAME, TaskAction.REMOVE, member);
  }
}
