package dev.kvorum.operator;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserStatus;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.loadtest.LoadTests;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import java.util.List;
import java.util.TreeMap;

/** What else acts on an API server when there are load tests: Jobs' controller, and wrk2. */
final class FakeLoad {
  static final String NAMESPACE = "test";

  private final KubernetesClient client;

  private boolean readsUsers;

  FakeLoad(KubernetesClient client) {
    this.client = client;
  }

  /** A cluster that is ready, without an operator. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  void cluster(String id, boolean ready) {
    if (cluster() == null) {
      spec(Specs.of(3, "kvorum:1", "10Gi"));
    }
    KvorumCluster cluster = cluster();
    cluster.setStatus(
        new KvorumClusterStatus(
            1L,
            3,
            "",
            3,
            3,
            "3/3",
            1L,
            null,
            null,
            null,
            null,
            null,
            id,
            null,
            null,
            null,
            null,
            null,
            List.of(),
            List.of(
                new ConditionBuilder()
                    .withType("Ready")
                    .withStatus(ready ? "True" : "False")
                    .withReason("MemberDown")
                    .withMessage("kvorum-1 is down")
                    .withLastTransitionTime("2026-01-01T00:00:00Z")
                    .build())));
    client.resource(cluster).updateStatus();
  }

  /** The cluster with a spec. */
  void spec(KvorumClusterSpec spec) {
    KvorumCluster cluster = cluster();
    boolean exists = cluster != null;
    if (!exists) {
      cluster = new KvorumCluster();
      cluster.setMetadata(
          new ObjectMetaBuilder().withName("kvorum").withNamespace(NAMESPACE).build());
    }
    cluster.setSpec(spec);
    if (exists) {
      client.resource(cluster).update();
    } else {
      client.resource(cluster).create();
    }
  }

  /** The cluster rejects requests without credentials, and reads users at once. */
  void needsUsers() {
    spec(Specs.withProfile(3, "strict"));
    readsUsers = true;
  }

  private KvorumCluster cluster() {
    return client.resources(KvorumCluster.class).inNamespace(NAMESPACE).withName("kvorum").get();
  }

  void create(String name, String time, KvorumLoadTestSpec spec) {
    KvorumLoadTest test = new KvorumLoadTest();
    test.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withCreationTimestamp(time)
            .withGeneration(1L)
            .build());
    test.setSpec(spec);
    client.resource(test).create();
  }

  KvorumLoadTest test(String name) {
    return client.resources(KvorumLoadTest.class).inNamespace(NAMESPACE).withName(name).get();
  }

  List<Job> jobs() {
    return client.batch().v1().jobs().inNamespace(NAMESPACE).list().getItems();
  }

  /** Each new Job gets a pod, and each pod ends with a result. */
  void tick() {
    if (readsUsers) {
      users().list().getItems().stream()
          .filter(user -> user.getStatus() == null)
          .forEach(user -> report(user.getMetadata().getName(), UserReason.IN_EFFECT));
    }
    for (Job job : jobs()) {
      String name = job.getMetadata().getName() + "-pod";
      Pod pod = client.pods().inNamespace(NAMESPACE).withName(name).get();
      if (pod == null) {
        client.resource(pod(job, name)).create();
      } else if (pod.getStatus() == null || pod.getStatus().getContainerStatuses().isEmpty()) {
        end(pod, rate(job));
      }
    }
  }

  private static long rate(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv().stream()
        .filter(it -> it.getName().equals("RATE"))
        .mapToLong(it -> Long.parseLong(it.getValue()))
        .findFirst()
        .orElseThrow();
  }

  static Pod pod(Job job, String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .withLabels(new TreeMap<>(job.getSpec().getTemplate().getMetadata().getLabels()))
        .addNewOwnerReference()
        .withApiVersion("batch/v1")
        .withKind("Job")
        .withName(job.getMetadata().getName())
        .withUid(job.getMetadata().getUid())
        .endOwnerReference()
        .endMetadata()
        .withSpec(job.getSpec().getTemplate().getSpec())
        .build();
  }

  private void end(Pod pod, long rate) {
    Pod ended =
        new PodBuilder(pod)
            .withNewStatus()
            .withPhase("Succeeded")
            .addNewContainerStatus()
            .withName("wrk2")
            .withImage("wrk2:1")
            .withImageID("")
            .withReady(false)
            .withRestartCount(0)
            .withNewState()
            .withNewTerminated()
            .withExitCode(0)
            .withStartedAt("2026-01-01T00:00:00Z")
            .withFinishedAt("2026-01-01T00:00:30Z")
            .withMessage(LoadTests.message(rate))
            .endTerminated()
            .endState()
            .endContainerStatus()
            .endStatus()
            .build();
    client.resource(ended).updateStatus();
  }

  private FilterWatchListDeletable<KvorumUser, KubernetesResourceList<KvorumUser>, ?> users() {
    return client
        .resources(KvorumUser.class)
        .inNamespace(NAMESPACE)
        .withLabel(LoadLabels.NAME_LABEL, LoadLabels.NAME);
  }

  KvorumUser user(String name) {
    return client.resources(KvorumUser.class).inNamespace(NAMESPACE).withName(name).get();
  }

  /** As the operator reports a user. */
  void report(String name, UserReason reason) {
    KvorumUser user = user(name);
    user.setStatus(
        new KvorumUserStatus(
            user.getMetadata().getGeneration(),
            name + "-token",
            List.of(
                new ConditionBuilder()
                    .withType("Ready")
                    .withStatus(reason == UserReason.IN_EFFECT ? "True" : "False")
                    .withReason(reason.label())
                    .withMessage("as told")
                    .withLastTransitionTime("2026-01-01T00:00:00Z")
                    .build())));
    client.resource(user).updateStatus();
  }

  /** As garbage collection does when a load test is deleted. */
  void collect() {
    users().delete();
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(NAMESPACE)
        .withLabel(LoadLabels.NAME_LABEL, LoadLabels.NAME)
        .delete();
    client.pods().inNamespace(NAMESPACE).withLabel(LoadLabels.NAME_LABEL, LoadLabels.NAME).delete();
  }
}
