package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.job.JobReader;
import dev.kvorum.operator.resources.ImageCheckJobs;
import dev.kvorum.operator.view.ImageCheck;
import dev.kvorum.operator.view.JobView;
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
import java.util.stream.Stream;

/**
 * Reads what an image has reported as its release. An image whose pod found no place, as with a
 * quota or a full cluster, counts as one of an unknown release: nodes themselves reject each other
 * if they have no protocol in common.
 */
final class ImageCheckReader {
  /** Time for which a pod may wait for a machine or a quota. */
  private static final Duration PLACE_WAIT_MAX = Duration.ofMinutes(1);

  /** What a node says that does not know the option. */
  private static final String COMPLAINT = "kvorum-node: --print-release is no setting";

  private ImageCheckReader() {}

  static ImageCheck check(Reads reads, KvorumCluster cluster, String image, Instant now) {
    String namespace = cluster.getMetadata().getNamespace();
    String name = cluster.getMetadata().getName();
    Map<String, String> labels = ImageCheckJobs.selector(name);
    String wanted = ImageCheckJobs.of(cluster, image).getMetadata().getName();
    KubernetesClient client = reads.client();
    List<Job> jobs =
        reads.list(
            Job.class,
            "of image checks",
            () ->
                client
                    .batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withLabels(labels)
                    .list()
                    .getItems());
    List<Pod> pods =
        reads.list(
            Pod.class,
            "of image checks",
            () -> client.pods().inNamespace(namespace).withLabels(labels).list().getItems());
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
      case JobView.Succeeded done -> reported(done);
      case JobView.Failed failed ->
          switch (failed.cause()) {
            case EXIT ->
                failed.message().contains(COMPLAINT)
                    ? new ImageCheck.Done(Release.UNNAMED)
                    : new ImageCheck.Failed(failed.message());
            case KILLED -> new ImageCheck.Failed(failed.message());
            case DEADLINE ->
                new ImageCheck.Failed("it was not pulled and started within ten minutes");
            case EVICTED -> new ImageCheck.Done(Release.UNKNOWN);
          };
    };
  }

  private static ImageCheck pending(JobView.Pending pending, Instant now) {
    if (pending.trouble().isEmpty()) {
      return new ImageCheck.Running();
    }
    JobView.Trouble trouble = pending.trouble().get();
    if (trouble.placed()) {
      return new ImageCheck.Failed(trouble.message());
    }
    return now.isBefore(pending.since().plus(PLACE_WAIT_MAX))
        ? new ImageCheck.Running()
        : new ImageCheck.Done(Release.UNKNOWN);
  }

  private static ImageCheck reported(JobView.Succeeded done) {
    if (done.startedAt().isEmpty()) {
      // The pod is gone, and its report with it.
      return new ImageCheck.Done(Release.UNKNOWN);
    }
    Properties lines = new Properties();
    try {
      lines.load(new StringReader(done.message()));
    } catch (IOException | IllegalArgumentException e) {
      lines.clear();
    }
    Release release =
        new Release(
            lines.getProperty("version", ""),
            lines.getProperty("protocols", ""),
            FeatureNames.of(Stream.of(lines.getProperty("features", "").split(","))));
    return release.hasProtocols()
        ? new ImageCheck.Done(release)
        : new ImageCheck.Failed("it is no image of a Kvorum node: it does not name its release");
  }
}
