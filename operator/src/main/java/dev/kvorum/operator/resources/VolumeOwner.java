package dev.kvorum.operator.resources;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.List;
import java.util.Map;

/**
 * Adds an init container that changes the owner of a volume to the node's user, where Kubernetes
 * does not.
 */
public final class VolumeOwner {
  private VolumeOwner() {}

  /** Returns the StatefulSet with the init container in its pods. */
  public static StatefulSet withChownInit(StatefulSet set) {
    StatefulSet next = new StatefulSetBuilder(set).build();
    PodSpec pod = next.getSpec().getTemplate().getSpec();
    pod.setInitContainers(List.of(container(pod.getContainers().getFirst())));
    return next;
  }

  private static Container container(Container node) {
    String owner = SecurityContexts.USER + ":" + SecurityContexts.USER;
    return new ContainerBuilder()
        .withName("own-the-volume")
        .withImage(node.getImage())
        .withImagePullPolicy(node.getImagePullPolicy())
        .withCommand("chown", owner, "/data")
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("10m"), "memory", new Quantity("16Mi")))
        .withLimits(Map.of("memory", new Quantity("32Mi")))
        .endResources()
        .withNewSecurityContext()
        .withRunAsNonRoot(false)
        .withRunAsUser(0L)
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .withAdd("CHOWN")
        .endCapabilities()
        .endSecurityContext()
        .addNewVolumeMount()
        .withName(StatefulSets.VOLUME)
        .withMountPath("/data")
        .endVolumeMount()
        .build();
  }
}
