package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.PodExtras;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;

/** Builds the Job that asks an image for its release. Its pod has no data and no API access. */
public final class ImageCheckJobs {
  public static final String CONTAINER = "release";

  /** The option that names the file for the report, which becomes the termination message. */
  public static final String OPTION = "--print-release=";

  /** The name label; not that of members, so that no Service and no informer selects the pod. */
  private static final String NAME = "kvorum-image-check";

  private static final int HASH_DIGITS = 8;
  private static final String RESULT = "/dev/termination-log";

  /** Long enough to pull an image. */
  private static final long DEADLINE_SECONDS = 600;

  /** After that, an image that was rejected is asked again: its name may stand for another one. */
  private static final int TTL_SECONDS = 1800;

  private ImageCheckJobs() {}

  /** Returns the labels of the Job and its pod. */
  public static Map<String, String> selector(String cluster) {
    return new TreeMap<>(Map.of(Labels.NAME_LABEL, NAME, Labels.INSTANCE_LABEL, cluster));
  }

  /**
   * Returns the Job for an image. Its name has a hash of the pod: what makes an image run, such as
   * the secret of a registry, takes effect at once.
   */
  public static Job of(KvorumCluster cluster, String image) {
    String name = cluster.getMetadata().getName();
    PodTemplateSpec pod = pod(cluster, image);
    String hash = SpecHash.ofText(Serialization.asJson(pod)).substring(0, HASH_DIGITS);
    return new JobBuilder()
        .withNewMetadata()
        .withName(name + "-image-" + hash)
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels(name))
        .withOwnerReferences(Labels.owner(cluster))
        .endMetadata()
        .withNewSpec()
        .withBackoffLimit(0)
        .withActiveDeadlineSeconds(DEADLINE_SECONDS)
        .withTtlSecondsAfterFinished(TTL_SECONDS)
        .withTemplate(pod)
        .endSpec()
        .build();
  }

  private static Map<String, String> labels(String cluster) {
    Map<String, String> labels = selector(cluster);
    labels.put(Labels.MANAGED_BY_LABEL, "kvorum-operator");
    return labels;
  }

  private static PodTemplateSpec pod(KvorumCluster cluster, String image) {
    String name = cluster.getMetadata().getName();
    return requireNonNullElse(cluster.getSpec().pod(), PodExtras.NONE)
        .template(labels(name))
        .editSpec()
        .withRestartPolicy("Never")
        // It may have the registry's secrets, or the right to run as this user.
        .withServiceAccountName(AccessObjects.accountName(name))
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withSecurityContext(SecurityContexts.pod().build())
        .withContainers(container(cluster, image))
        .endSpec()
        .build();
  }

  private static Container container(KvorumCluster cluster, String image) {
    return new ContainerBuilder()
        .withName(CONTAINER)
        .withImage(image)
        .withImagePullPolicy(cluster.getSpec().imagePullPolicy().label())
        .withArgs(OPTION + RESULT)
        .withTerminationMessagePath(RESULT)
        // Falls back to the last output of an image that does not know the option.
        .withTerminationMessagePolicy("FallbackToLogsOnError")
        .withNewResources()
        .addToRequests("cpu", new Quantity("100m"))
        .addToRequests("memory", new Quantity("128Mi"))
        .addToLimits("memory", new Quantity("256Mi"))
        .endResources()
        .withSecurityContext(SecurityContexts.container())
        .build();
  }
}
