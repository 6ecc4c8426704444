package dev.kvorum.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.Set;
import java.util.TreeMap;

/** The pods that a StatefulSet's controller makes and machines run. */
final class FakePods {
  /** An image that answers when it is asked for its release, and whose nodes end at once. */
  static final String BROKEN = "kvorum:broken";

  private FakePods() {}

  /** A pod by its number, which runs if its image can be had. */
  static Pod of(StatefulSet set, int ordinal, Set<String> absentImages) {
    return run(pod(set, ordinal), ordinal, absentImages);
  }

  /** A container that runs, or one whose image cannot be had. */
  private static Pod run(Pod pod, int ordinal, Set<String> absentImages) {
    String image = pod.getSpec().getContainers().getFirst().getImage();
    PodStatusBuilder status = new PodStatusBuilder();
    if (image.equals(BROKEN)) {
      status
          .addNewContainerStatus()
          .withName("node")
          .withImage(image)
          .withRestartCount(3)
          .withNewState()
          .withNewTerminated()
          .withExitCode(1)
          .endTerminated()
          .endState()
          .endContainerStatus();
    } else if (absentImages.contains(image)) {
      status
          .addNewContainerStatus()
          .withName("node")
          .withImage(image)
          .withRestartCount(0)
          .withNewState()
          .withNewWaiting()
          .withReason("ImagePullBackOff")
          .endWaiting()
          .endState()
          .endContainerStatus();
    } else {
      status
          .withPodIP("10.0.0." + ordinal)
          .addNewCondition()
          .withType("Ready")
          .withStatus("True")
          .endCondition()
          .addNewContainerStatus()
          .withName("node")
          .withImage(image)
          .withRestartCount(0)
          .withNewState()
          .withNewRunning()
          .withStartedAt("2026-01-01T00:00:00Z")
          .endRunning()
          .endState()
          .endContainerStatus();
    }
    pod.setStatus(status.build());
    return pod;
  }

  /** The revision of a template, as the StatefulSet controller says it. */
  static String revision(StatefulSet set) {
    String image = set.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
    return set.getMetadata().getName() + "-" + Integer.toHexString(image.hashCode());
  }

  private static Pod pod(StatefulSet set, int ordinal) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(FakeKubernetes.NAME + "-" + ordinal)
        .withNamespace(FakeKubernetes.NAMESPACE)
        .withLabels(new TreeMap<>(set.getSpec().getTemplate().getMetadata().getLabels()))
        .addToLabels("controller-revision-hash", revision(set))
        .withAnnotations(new TreeMap<>(set.getSpec().getTemplate().getMetadata().getAnnotations()))
        .endMetadata()
        .withSpec(set.getSpec().getTemplate().getSpec())
        .editSpec()
        .withNodeName("machine-" + "abc".charAt(ordinal % 3))
        .addNewVolume()
        .withName("data")
        .withNewPersistentVolumeClaim("data-" + FakeKubernetes.NAME + "-" + ordinal, false)
        .endVolume()
        .endSpec()
        .build();
  }
}
