package dev.kvorum.operator.loadtest.observe;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestStatus;
import dev.kvorum.operator.job.JobReader;
import dev.kvorum.operator.job.JobUserReader;
import dev.kvorum.operator.loadtest.resources.LoadJobs;
import dev.kvorum.operator.loadtest.resources.LoadLabels;
import dev.kvorum.operator.loadtest.resources.LoadScripts;
import dev.kvorum.operator.loadtest.resources.LoadUsers;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads a load test and everything that it depends on from the API. */
public final class LoadObserver {
  private static final Comparator<KvorumLoadTest> FIRST =
      Comparator.comparing((KvorumLoadTest test) ->
              requireNonNullElse(test.getMetadata().getCreationTimestamp(), ""))
          .thenComparing(test -> test.getMetadata().getName());

  private final KubernetesClient client;
  private final InstantSource clock;

  public LoadObserver(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Returns the current state; empty if there is no such load test. */
  public Optional<LoadSnapshot> observe(String namespace, String name) {
    KvorumLoadTest test =
        client.resources(KvorumLoadTest.class).inNamespace(namespace).withName(name).get();
    if (test == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    Optional<ConfigMap> scripts =
        Optional.ofNullable(
                client.configMaps().inNamespace(namespace).withName(LoadScripts.name(name)).get())
            .filter(there -> LoadLabels.isOwned(there, test));
    Map<String, Job> jobs = jobs(namespace);
    List<Pod> pods = pods(namespace, name);
    LoadObserved view =
        new LoadObserved(
            now,
            name,
            test.getMetadata().getDeletionTimestamp() != null,
            test.getSpec(),
            status(test),
            target(test),
            rival(test, jobs),
            scripts.filter(LoadScripts::same).isPresent(),
            IntStream.range(0, LoadJobs.FILL_ATTEMPTS)
                .mapToObj(
                    attempt -> view(test, jobs.get(LoadJobs.fillName(name, attempt)), pods, now))
                .toList(),
            IntStream.range(0, test.getSpec().rates().size())
                .mapToObj(step -> view(test, jobs.get(LoadJobs.name(name, step)), pods, now))
                .toList());
    return Optional.of(new LoadSnapshot(view, test, scripts, jobs));
  }

  private static JobView view(KvorumLoadTest test, @Nullable Job job, List<Pod> pods, Instant now) {
    return JobReader.view(test.getMetadata().getUid(), LoadJobs.CONTAINER, job, pods, now);
  }

  private static KvorumLoadTestStatus status(KvorumLoadTest test) {
    return requireNonNullElse(test.getStatus(), KvorumLoadTestStatus.NONE);
  }

  private Map<String, Job> jobs(String namespace) {
    return client
        .batch()
        .v1()
        .jobs()
        .inNamespace(namespace)
        .withLabel(LoadLabels.NAME_LABEL, LoadLabels.NAME)
        .list()
        .getItems()
        .stream()
        .collect(Collectors.toMap(job -> job.getMetadata().getName(), Function.identity()));
  }

  private List<Pod> pods(String namespace, String name) {
    return client
        .pods()
        .inNamespace(namespace)
        .withLabels(Map.of(LoadLabels.NAME_LABEL, LoadLabels.NAME, LoadLabels.INSTANCE_LABEL, name))
        .list()
        .getItems();
  }

  private Optional<LoadObserved.Target> target(KvorumLoadTest test) {
    return Optional.ofNullable(
            client
                .resources(KvorumCluster.class)
                .inNamespace(test.getMetadata().getNamespace())
                .withName(test.getSpec().cluster())
                .get())
        .filter(cluster -> cluster.getMetadata().getDeletionTimestamp() == null)
        .map(cluster -> {
          KvorumClusterStatus status = cluster.known();
          Optional<Condition> ready =
              status.conditions().stream().filter(it -> it.getType().equals("Ready")).findFirst();
          Optional<String> notReady =
              ready.isPresent()
                  ? ready
                      .filter(it -> !it.getStatus().equals("True"))
                      .map(it -> it.getReason() + ": " + it.getMessage())
                  : Optional.of("it has no Ready condition yet");
          return new LoadObserved.Target(
              requireNonNullElse(status.clusterId(), ""),
              notReady,
              // A token is not sent in plain text.
              cluster.getSpec().needsTls(),
              JobUserReader.read(
                      client, test, LoadUsers.name(test.getMetadata().getName()), cluster)
                  .view());
        });
  }

  /**
   * Returns another load test of the cluster that has precedence, or a Job of another owner that
   * still loads the cluster.
   */
  private Optional<String> rival(KvorumLoadTest test, Map<String, Job> jobs) {
    if (status(test).started()) {
      return Optional.empty();
    }
    String cluster = test.getSpec().cluster();
    Optional<String> other =
        client
            .resources(KvorumLoadTest.class)
            .inNamespace(test.getMetadata().getNamespace())
            .list()
            .getItems()
            .stream()
            .filter(it -> !it.getMetadata().getName().equals(test.getMetadata().getName()))
            .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
            .filter(it -> it.getSpec().cluster().equals(cluster) && !status(it).ended())
            .filter(it -> status(it).started() || FIRST.compare(it, test) < 0)
            .min(FIRST)
            .map(it -> "load test " + it.getMetadata().getName());
    return other.or(() ->
        jobs.values().stream()
            .filter(job -> !LoadLabels.isOwned(job, test))
            .filter(
                job -> cluster.equals(job.getMetadata().getLabels().get(LoadLabels.TARGET_LABEL)))
            .filter(job ->
                job.getStatus() != null && requireNonNullElse(job.getStatus().getActive(), 0) > 0)
            .map(job -> "Job " + job.getMetadata().getName())
            .min(Comparator.naturalOrder()));
  }
}
