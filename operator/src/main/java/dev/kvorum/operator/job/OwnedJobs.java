package dev.kvorum.operator.job;

import dev.kvorum.operator.resources.Labels;
import dev.kvorum.operator.view.JobView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The Jobs that were made for an object, and their pods, as they were read. */
public final class OwnedJobs {
  private final String owner;
  private final List<Job> jobs;
  private final List<Pod> pods;

  private OwnedJobs(String owner, List<Job> jobs, List<Pod> pods) {
    this.owner = owner;
    this.jobs = jobs;
    this.pods = pods;
  }

  /**
   * A Job.
   *
   * @param object empty if there is none of the name
   */
  public record Found(JobView view, Optional<Job> object) {}

  /**
   * Reads them.
   *
   * @param label value of their name label
   */
  public static OwnedJobs read(KubernetesClient client, HasMetadata owner, String label) {
    String namespace = owner.getMetadata().getNamespace();
    Map<String, String> labels =
        Map.of(Labels.NAME_LABEL, label, Labels.INSTANCE_LABEL, owner.getMetadata().getName());
    return new OwnedJobs(
        owner.getMetadata().getUid(),
        client.batch().v1().jobs().inNamespace(namespace).withLabels(labels).list().getItems(),
        client.pods().inNamespace(namespace).withLabels(labels).list().getItems());
  }

  /** All Jobs, by name. */
  public Map<String, Job> byName() {
    return jobs.stream()
        .collect(Collectors.toMap(job -> job.getMetadata().getName(), Function.identity()));
  }

  /** The Job of a name. */
  public Found named(String name, String container, Instant now) {
    Optional<Job> job =
        jobs.stream().filter(it -> it.getMetadata().getName().equals(name)).findFirst();
    return new Found(JobReader.view(owner, container, job.orElse(null), pods, now), job);
  }
}
