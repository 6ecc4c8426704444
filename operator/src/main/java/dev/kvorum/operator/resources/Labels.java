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

/** Defines the labels, annotations and owner references that mark objects as those of a cluster. */
public final class Labels {
  /** Value of the name label of every member's pod, volume and object. */
  public static final String NAME = "kvorum";

  /** Value of the name label of Jobs of backups, which members admit to their port for orders. */
  public static final String BACKUP = "kvorum-backup";

  /** Value of the name label of the other Jobs of schedules of backups. */
  public static final String SCHEDULE = "kvorum-backup-schedule";

  /** Value of the name label of Jobs that restore what a cluster begins with. */
  public static final String RESTORE = "kvorum-restore";

  public static final String NAME_LABEL = "app.kubernetes.io/name";
  public static final String INSTANCE_LABEL = "app.kubernetes.io/instance";
  public static final String MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

  /** Hash of the desired state that an object beside the StatefulSet was created from. */
  public static final String HASH = "kvorum.dev/hash";

  /** Hash of the spec that a pod was created from. */
  public static final String SPEC_HASH = "kvorum.dev/spec-hash";

  /**
   * Image that the operator set on pods; an admission plugin may have replaced it in the container.
   */
  public static final String IMAGE = "kvorum.dev/image";

  /** Revision of the code that created the pod template from the spec. */
  public static final String OPERAND_REVISION = "kvorum.dev/operand-revision";

  /** Hash of the template of a StatefulSet, as the API server has stored it. */
  static final String SEAL = "kvorum.dev/template";

  /** Revision that a StatefulSet had after another client had changed its template. */
  static final String FOREIGN_REVISION = "kvorum.dev/foreign-revision";

  /** The last template that all pods of a StatefulSet had, as JSON. */
  static final String FALLBACK = "kvorum.dev/fallback";

  /** Hash of the spec whose update was rolled back, and why. */
  public static final String FAILED_UPDATE = "kvorum.dev/failed-update";

  public static final String FAILED_UPDATE_WHY = "kvorum.dev/failed-update-why";

  /** Number of pods that the operator last set in the StatefulSet. */
  public static final String REPLICAS = "kvorum.dev/replicas";

  /** Number of copies with which records were written under a topology. */
  static final String REPLICATION = "kvorum.dev/replication";

  /** Marks a topology whose cluster is founded: members without data have lost it since. */
  static final String FOUNDED = "kvorum.dev/founded";

  /** Id of the backup that the members of a topology wait for. */
  static final String RESTORE_ORDER = "kvorum.dev/restore";

  /** Condition of pods that closes their readiness gate while most members cannot reach them. */
  public static final String REACHABLE = "kvorum.dev/Reachable";

  /** Condition of pods that is false while their node waits for a topology that lists it. */
  public static final String LISTED = "kvorum.dev/Listed";

  /** Id of the cluster whose data a volume may hold. */
  public static final String CLUSTER_ID = "kvorum.dev/cluster-id";

  /** When it was first seen that the member of a volume had left. */
  public static final String LEFT_AT = "kvorum.dev/left-at";

  /** A stable topology, saved on a volume. */
  public static final String TOPOLOGY = "kvorum.dev/topology";

  /**
   * Argo CD prunes objects that have a cluster's labels but no owner and are in no repository. The
   * topology and the volumes must be exempt.
   */
  static final String SYNC_OPTIONS = "argocd.argoproj.io/sync-options";

  static final String KEPT = "Prune=false,Delete=false";

  /** Name of the user to whom a Secret gives its token. */
  public static final String USER = "kvorum.dev/user";

  /** Hash of the users that a pod's node is to read. Any change of it lets the kubelet look. */
  public static final String USERS = "kvorum.dev/users";

  private Labels() {}

  /** Returns the labels that select a cluster's pods; they never change. */
  public static Map<String, String> selector(String cluster) {
    return Collections.unmodifiableMap(
        new TreeMap<>(Map.of(NAME_LABEL, NAME, INSTANCE_LABEL, cluster)));
  }

  /** Returns the selector as a Kubernetes object. */
  public static LabelSelector labelSelector(String cluster) {
    return new LabelSelectorBuilder().withMatchLabels(new TreeMap<>(selector(cluster))).build();
  }

  /** Returns the selector as text. */
  public static String selectorText(String cluster) {
    return INSTANCE_LABEL + "=" + cluster + "," + NAME_LABEL + "=" + NAME;
  }

  static Map<String, String> labels(String cluster) {
    Map<String, String> labels = new TreeMap<>(selector(cluster));
    labels.put(MANAGED_BY_LABEL, "kvorum-operator");
    return labels;
  }

  /** Returns the labels of what belongs to a user of a cluster. */
  public static Map<String, String> ofUser(String cluster, String user) {
    Map<String, String> labels = labels(cluster);
    labels.put(USER, user);
    return labels;
  }

  /** Returns the metadata of an object that is deleted with the cluster. */
  public static ObjectMeta metadata(KvorumCluster cluster, String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels(cluster.getMetadata().getName()))
        .withOwnerReferences(owner(cluster))
        .build();
  }

  /**
   * Returns the labels of Jobs of an object other than a cluster, and of their pods.
   *
   * @param name of the kind of Job
   */
  public static Map<String, String> ofJob(String name, HasMetadata owner) {
    return new TreeMap<>(
        Map.of(
            NAME_LABEL,
            name,
            INSTANCE_LABEL,
            owner.getMetadata().getName(),
            MANAGED_BY_LABEL,
            "kvorum-operator"));
  }

  /** Returns the metadata of an object that is deleted with another one. */
  public static ObjectMeta ownedMetadata(
      HasMetadata owner, String name, Map<String, String> labels) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(owner.getMetadata().getNamespace())
        .withLabels(labels)
        .withOwnerReferences(owner(owner))
        .build();
  }

  /** Returns the owner reference with which an object is deleted with another one. */
  public static OwnerReference owner(HasMetadata owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(owner.getApiVersion())
        .withKind(owner.getKind())
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(false)
        .build();
  }

  /** Returns whether an object is deleted with another one, such as its cluster. */
  public static boolean isOwned(HasMetadata object, HasMetadata owner) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(it -> it.getUid().equals(owner.getMetadata().getUid()));
  }

  /** Returns whether an object is deleted with another cluster, which had the same name. */
  public static boolean isOfEarlier(HasMetadata object, KvorumCluster cluster) {
    return isOf(object, cluster)
        && !isOwned(object, cluster)
        && object.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
  }

  /**
   * Returns whether an object was created for a cluster of this name: for this one, for an earlier
   * one that was deleted, or for one that was deleted without the objects that it owned.
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

  /** Returns an annotation; empty if there is none. */
  public static Optional<String> annotation(@Nullable ObjectMeta metadata, String key) {
    Map<String, String> all = metadata == null ? null : metadata.getAnnotations();
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(key));
  }
}
