package dev.kvorum.operator;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The Jobs that ask images for their release, and the images' answers. */
final class FakeImageChecks {
  private static final String USUAL = "version=1.0.0\nprotocols=3..4\n";

  /** What images print that do not print the usual. */
  final Map<String, String> answers = new HashMap<>();

  private final KubernetesClient client;

  FakeImageChecks(KubernetesClient client) {
    this.client = client;
  }

  /** The Job controller and the machines, once; returns whether they created a pod. */
  boolean tick(Set<String> absentImages) {
    boolean changed = false;
    for (Job job :
        client.batch().v1().jobs().inNamespace(FakeKubernetes.NAMESPACE).list().getItems()) {
      String name = job.getMetadata().getName() + "-pod";
      boolean isCheck = job.getMetadata().getName().contains("-image-");
      if (isCheck
          && client.pods().inNamespace(FakeKubernetes.NAMESPACE).withName(name).get() == null) {
        run(job, name, absentImages);
        changed = true;
      }
    }
    return changed;
  }

  private void run(Job job, String name, Set<String> absentImages) {
    String image = job.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    Pod created =
        client
            .resource(
                new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(FakeKubernetes.NAMESPACE)
                    .withLabels(job.getSpec().getTemplate().getMetadata().getLabels())
                    .withOwnerReferences(
                        new OwnerReferenceBuilder()
                            .withUid(job.getMetadata().getUid())
                            .withName(job.getMetadata().getName())
                            .withKind("Job")
                            .withApiVersion("batch/v1")
                            .build())
                    .endMetadata()
                    .withSpec(job.getSpec().getTemplate().getSpec())
                    .build())
            .create();
    PodStatusBuilder status = new PodStatusBuilder();
    created.setStatus(
        absentImages.contains(image)
            ? status
                .addNewContainerStatus()
                .withName("release")
                .withImage(image)
                .withNewState()
                .withNewWaiting()
                .withReason("ImagePullBackOff")
                .endWaiting()
                .endState()
                .endContainerStatus()
                .build()
            : status
                .addNewContainerStatus()
                .withName("release")
                .withImage(image)
                .withNewState()
                .withNewTerminated()
                .withExitCode(0)
                .withStartedAt("2026-01-01T00:00:00Z")
                .withMessage(answers.getOrDefault(image, USUAL))
                .endTerminated()
                .endState()
                .endContainerStatus()
                .build());
    client.resource(created).updateStatus();
  }
}
