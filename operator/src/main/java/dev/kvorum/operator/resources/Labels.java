package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels, annotations and owners by which objects are known as a cluster's. */
public final class Labels {
  /** On every member's pod, volume and object. */
  public static final String NAME = "kvorum";

  public static final String NAME_LABEL = "app.kubernetes.io/name";
  public static final String INSTANCE_LABEL = "app.kubernetes.io/instance";
  public static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

  /** What an object beside the StatefulSet was made from. */
  public static final String HASH = "kvorum.dev/hash";

  /** What a pod was made from. */
  public static final String SPEC_HASH = "kvorum.dev/spec-hash";

  /**
   * With which image pods were made: what runs may be another one that an admission plugin has put
   * there.
   */
  public static final String IMAGE = "kvorum.dev/image";

  /** Which way of making pods from a spec was used. */
  public static final String OPERAND_REVISION = "kvorum.dev/operand-revision";

  /** How many pods the operator asked the StatefulSet for. */
  public static final String REPLICAS = "kvorum.dev/replicas";

  /** On how many members records were kept under a topology. */
  static final String REPLICATION = "kvorum.dev/replication";

  /** Whether a cluster has begun, on its topology: members without data have lost it since. */
  static final String FOUNDED = "kvorum.dev/founded";

  /** Whose data a volume may hold. */
  public static final String CLUSTER_ID = "kvorum.dev/cluster-id";

  /**
   * Argo CD prunes what carries a cluster's labels, has no owner and is in no repository: the
   * topology and the volumes must be exempt.
   */
  static final String SYNC_OPTIONS = "argocd.argoproj.io/sync-options";

  static final String KEPT = "Prune=false,Delete=false";

  private Labels() {}

  /** By which a cluster's pods are selected; never changes. */
  public static Map<String, String> selector(String cluster) {
    return Collections.unmodifiableMap(
        new TreeMap<>(Map.of(NAME_LABEL, NAME, INSTANCE_LABEL, cluster)));
  }

  /** The same for a Kubernetes object. */
  public static LabelSelector labelSelector(String cluster) {
    return new LabelSelectorBuilder().withMatchLabels(new TreeMap<>(selector(cluster))).build();
  }

  /** The same as text. */
  public static String selectorText(String cluster) {
    return INSTANCE_LABEL + "=" + cluster + "," + NAME_LABEL + "=" + NAME;
  }

  static Map<String, String> labels(String cluster) {
    Map<String, String> labels = new TreeMap<>(selector(cluster));
    labels.put(MANAGED_BY_LABEL, "kvorum-operator");
    return labels;
  }

  static ObjectMeta metadata(KvorumCluster cluster, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels(cluster.getMetadata().getName()))
        .withOwnerReferences(owner(cluster))
        .build();
  }

  /** Who makes an object go with the cluster. */
  public static OwnerReference owner(KvorumCluster cluster) {
    return new OwnerReferenceBuilder()
        .withApiVersion(cluster.getApiVersion())
        .withKind(cluster.getKind())
        .withName(cluster.getMetadata().getName())
        .withUid(cluster.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(false)
        .build();
  }

  /** Whether an object goes with the cluster. */
  public static boolean isOwned(HasMetadata object, KvorumCluster cluster) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(cluster.getMetadata().getUid()));
  }

  /**
   * Whether an object was made for a cluster of this name: for this one, for one before it that was
   * deleted, or for one that was deleted without what it owned.
   */
  public static boolean isOf(HasMetadata object, KvorumCluster cluster) {
    if (isOwned(object, cluster)) {
      return true;
    }
    String name = cluster.getMetadata().getName();
    return object.getMetadata().getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst()
        .map(owner ->
            owner.getApiVersion().startsWith(KvorumCluster.GROUP + "/")
                && owner.getKind().equals(cluster.getKind())
                && owner.getName().equals(name))
        .orElseGet(() -> carries(object, labels(name)));
  }

  private static boolean carries(HasMetadata object, Map<String, String> labels) {
    Map<String, String> there = object.getMetadata().getLabels();
    return there != null && there.entrySet().containsAll(labels.entrySet());
  }

  /** An annotation, if there is one. */
  public static Optional<String> annotation(@Nullable ObjectMeta metadata, String key) {
    Map<String, String> all = metadata == null ? null : metadata.getAnnotations();
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(key));
  }
}
