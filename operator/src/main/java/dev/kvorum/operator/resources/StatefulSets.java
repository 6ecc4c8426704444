package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Quantities;
import dev.kvorum.operator.api.Reason;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds the members' StatefulSet: all pods start in parallel, only the operator restarts them, and
 * their volumes are retained.
 */
public final class StatefulSets {
  /** Name of the members' volumes: {@code data-C-0} for cluster C. */
  public static final String VOLUME = "data";

  private static final Quantity NOTHING = new Quantity("0");

  private StatefulSets() {}

  /** Returns why no pod can be created; empty if one can. */
  public static List<Notice> invalid(KvorumCluster cluster, String image) {
    List<Notice> notices = new ArrayList<>(Names.invalid(cluster.getMetadata().getName()));
    notices.addAll(NodeEnvironment.invalid(cluster.getSpec()));
    notices.addAll(ContainerResources.invalid(cluster.getSpec()));
    String size = cluster.getSpec().storage().size();
    if (Quantities.read(size).filter(it -> !it.equals(NOTHING)).isEmpty()) {
      notices.add(
          new Notice(
              Reason.INVALID_QUANTITY, "storage.size: '" + size + "' is not a size such as 10Gi"));
    }
    if (image.isEmpty()) {
      notices.add(
          new Notice(Reason.NO_IMAGE, "spec.image is empty and the operator has no default"));
    }
    return notices;
  }

  /** Returns a new StatefulSet. */
  public static StatefulSet create(KvorumCluster cluster, Operand operand, int replicas) {
    String name = cluster.getMetadata().getName();
    StatefulSet set =
        new StatefulSetBuilder()
            .withMetadata(Labels.metadata(cluster, name))
            .withNewSpec()
            .withServiceName(ServiceObjects.peersName(name))
            .withPodManagementPolicy("Parallel")
            .withNewUpdateStrategy()
            .withType("OnDelete")
            .endUpdateStrategy()
            .withNewPersistentVolumeClaimRetentionPolicy()
            .withWhenDeleted("Retain")
            .withWhenScaled("Retain")
            .endPersistentVolumeClaimRetentionPolicy()
            .withSelector(Labels.labelSelector(name))
            .withVolumeClaimTemplates(volume(cluster))
            .endSpec()
            .build();
    return scaled(updated(set, cluster, operand, false), replicas);
  }

  /**
   * Returns whether a StatefulSet has no owner, as {@code kubectl delete --cascade=orphan} leaves
   * it, but the labels and the id of this cluster.
   */
  public static boolean isOrphaned(StatefulSet set, KvorumCluster cluster) {
    boolean isControlled =
        set.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
    PodSpec pod = set.getSpec().getTemplate().getSpec();
    return !isControlled
        && Labels.isOf(set, cluster)
        && cluster.getStatus() != null
        && NodeEnvironment.value(pod, NodeEnvironment.CLUSTER_ID)
            .equals(cluster.getStatus().clusterId());
  }

  /** Returns the StatefulSet with its cluster as the owner. */
  public static StatefulSet owned(StatefulSet set, KvorumCluster cluster) {
    StatefulSet next = new StatefulSetBuilder(set).build();
    List<OwnerReference> owners = new ArrayList<>(set.getMetadata().getOwnerReferences());
    owners.add(Labels.owner(cluster));
    next.getMetadata().setOwnerReferences(owners);
    return next;
  }

  /**
   * Returns the StatefulSet with the template for the current spec.
   *
   * @param rolledOut whether all pods have the old template
   */
  public static StatefulSet updated(
      StatefulSet set, KvorumCluster cluster, Operand operand, boolean rolledOut) {
    StatefulSet next = new StatefulSetBuilder(set).build();
    annotate(
        next.getMetadata(),
        Labels.SPEC_HASH,
        SpecHash.of(cluster, operand.tls(), operand.haveUsers()));
    annotate(next.getMetadata(), Labels.OPERAND_REVISION, PodTemplates.OPERAND_REVISION);
    next.getSpec().setTemplate(PodTemplates.of(cluster, operand));
    Fallback.forgetFailure(next.getMetadata());
    if (rolledOut) {
      Fallback.keep(set, next.getMetadata());
    }
    TemplateSeal.breakSeal(set, next.getMetadata());
    return next;
  }

  /** Returns the StatefulSet with another number of pods. */
  public static StatefulSet scaled(StatefulSet set, int replicas) {
    StatefulSet next = new StatefulSetBuilder(set).build();
    annotate(next.getMetadata(), Labels.REPLICAS, Integer.toString(replicas));
    next.getSpec().setReplicas(replicas);
    return next;
  }

  static void annotate(ObjectMeta metadata, String key, String value) {
    Map<String, String> annotations =
        new TreeMap<>(
            metadata.getAnnotations() == null ? new HashMap<>() : metadata.getAnnotations());
    annotations.put(key, value);
    metadata.setAnnotations(annotations);
  }

  /**
   * Returns the volume template. Its metadata must never change, because an existing StatefulSet
   * cannot be given another one.
   */
  private static PersistentVolumeClaim volume(KvorumCluster cluster) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(VOLUME)
        .withLabels(new TreeMap<>(Labels.selector(cluster.getMetadata().getName())))
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName(cluster.getSpec().storage().storageClass())
        .withNewResources()
        .addToRequests("storage", new Quantity(cluster.getSpec().storage().size()))
        .endResources()
        .endSpec()
        .build();
  }
}
