package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.job.JobReader;
import dev.kvorum.operator.job.JobView;
import dev.kvorum.operator.resources.ImageCheckJobs;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.Release;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Reads what an image has answered to the question for its release. An image that could not be
 * asked for a reason that is not its own, such as a quota or a full cluster, counts as one of an
 * unknown release: nodes themselves refuse each other if they have no protocol in common.
 */
final class ImageCheckReader {
  /** Time for which a pod may wait for a machine or a quota. */
  private static final Duration PLACE_WAIT_MAX = Duration.ofMinutes(1);

  private final KubernetesClient client;

  ImageCheckReader(KubernetesClient client) {
    this.client = client;
  }

  ImageCheck check(KvorumCluster cluster, String image, Instant now) {
    String namespace = cluster.getMetadata().getNamespace();
    String name = cluster.getMetadata().getName();
    Map<String, String> labels = ImageCheckJobs.selector(name);
    String wanted = ImageCheckJobs.name(name, image);
    List<Job> jobs =
        client.batch().v1().jobs().inNamespace(namespace).withLabels(labels).list().getItems();
    List<Pod> pods = client.pods().inNamespace(namespace).withLabels(labels).list().getItems();
    Job job =
        jobs.stream()
            .filter(it -> it.getMetadata().getName().equals(wanted))
            .findFirst()
            .orElse(null);
    String uid = cluster.getMetadata().getUid();
    return view(JobReader.view(uid, ImageCheckJobs.CONTAINER, job, pods, now), now);
  }

  static ImageCheck view(JobView job, Instant now) {
    return switch (job) {
      // A Job of an earlier cluster of this name is being deleted with it.
      case JobView.Absent _ -> new ImageCheck.Missing();
      case JobView.Foreign _, JobView.Running _ -> new ImageCheck.Running();
      case JobView.Pending pending -> pending(pending, now);
      case JobView.Succeeded done -> new ImageCheck.Done(release(done.message()));
      case JobView.Failed failed ->
          switch (failed.cause()) {
            case EXIT ->
                // The complaint of a release without the option names it.
                failed.message().contains("--print-release")
                    ? new ImageCheck.Done(Release.UNNAMED)
                    : new ImageCheck.Failed(failed.message());
            case KILLED, DEADLINE -> new ImageCheck.Failed(failed.message());
            case EVICTED -> new ImageCheck.Done(Release.UNKNOWN);
          };
    };
  }

  private static ImageCheck pending(JobView.Pending pending, Instant now) {
    if (pending.trouble().isEmpty()) {
      return new ImageCheck.Running();
    }
    JobView.Trouble trouble = pending.trouble().get();
    if (trouble.image()) {
      return new ImageCheck.Failed(trouble.message());
    }
    return now.isBefore(pending.since().plus(PLACE_WAIT_MAX))
        ? new ImageCheck.Running()
        : new ImageCheck.Done(Release.UNKNOWN);
  }

  private static Release release(String answer) {
    Properties lines = new Properties();
    try {
      lines.load(new StringReader(answer));
    } catch (IOException | IllegalArgumentException e) {
      return Release.UNNAMED;
    }
    String protocols = lines.getProperty("protocols", "");
    return protocols.isEmpty()
        ? Release.UNNAMED
        : new Release(lines.getProperty("version", ""), protocols);
  }
}
