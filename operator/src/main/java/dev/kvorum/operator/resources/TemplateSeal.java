package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Marks a template with a hash of what the API server has stored, so that changes of other clients
 * are known from those of admission plugins. The hash has only fields that the operator sets: what
 * a newer API server fills in changes nothing.
 */
public final class TemplateSeal {
  /** Changes with what is hashed: a seal of another kind says nothing. */
  private static final String KIND = "1-";

  private static final String REVISION_LABEL = "controller-revision-hash";

  private TemplateSeal() {}

  /** Returns the StatefulSet with the hash of its template. */
  public static StatefulSet sealed(StatefulSet set) {
    StatefulSet next = new StatefulSetBuilder(set).build();
    StatefulSets.annotate(next.getMetadata(), Labels.SEAL, hash(set));
    return next;
  }

  /** Returns whether the template has a seal. */
  public static boolean isSealed(StatefulSet set) {
    return seal(set).isPresent();
  }

  /** Returns whether the template is another one than was sealed. */
  public static boolean isChanged(StatefulSet set) {
    return seal(set).filter(it -> !it.equals(hash(set))).isPresent() && isObserved(set);
  }

  private static Optional<String> seal(StatefulSet set) {
    return Labels.annotation(set.getMetadata(), Labels.SEAL).filter(it -> it.startsWith(KIND));
  }

  /**
   * Whether the StatefulSet controller has seen the template. Before, its revision is not known by
   * which pods that are created from it are found.
   */
  private static boolean isObserved(StatefulSet set) {
    StatefulSetStatus status = set.getStatus();
    Long generation = set.getMetadata().getGeneration();
    return status == null
        || status.getObservedGeneration() == null
        || generation == null
        || status.getObservedGeneration() >= generation;
  }

  /**
   * Removes the seal from a StatefulSet that is given a new template, and remembers the revision of
   * a template that another client has changed.
   *
   * @param old the StatefulSet as it was read
   * @param next metadata of the one to be written
   */
  static void breakSeal(StatefulSet old, ObjectMeta next) {
    Map<String, String> annotations = new TreeMap<>(next.getAnnotations());
    annotations.remove(Labels.SEAL);
    StatefulSetStatus status = old.getStatus();
    if (isChanged(old) && status != null && status.getUpdateRevision() != null) {
      annotations.put(Labels.FOREIGN_REVISION, status.getUpdateRevision());
    }
    next.setAnnotations(annotations);
  }

  /** Returns whether a pod was created from a template that another client had changed. */
  public static boolean isForeign(Pod pod, StatefulSet set) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels != null
        && Labels.annotation(set.getMetadata(), Labels.FOREIGN_REVISION)
            .filter(it -> it.equals(labels.get(REVISION_LABEL)))
            .isPresent();
  }

  private static String hash(StatefulSet set) {
    PodTemplateSpec template = set.getSpec().getTemplate();
    PodSpec pod = template.getSpec();
    Map<String, Object> said = new TreeMap<>();
    said.put(
        "labels",
        sorted(template.getMetadata() == null ? null : template.getMetadata().getLabels()));
    said.put(
        "annotations",
        sorted(template.getMetadata() == null ? null : template.getMetadata().getAnnotations()));
    said.put("containers", pod.getContainers().stream().map(TemplateSeal::container).toList());
    said.put("init", pod.getInitContainers().stream().map(TemplateSeal::container).toList());
    said.put("volumes", pod.getVolumes().stream().map(TemplateSeal::volume).sorted().toList());
    said.put("account", requireNonNullElse(pod.getServiceAccountName(), ""));
    said.put("priority", requireNonNullElse(pod.getPriorityClassName(), ""));
    said.put("grace", String.valueOf(pod.getTerminationGracePeriodSeconds()));
    said.put("nodeSelector", sorted(pod.getNodeSelector()));
    said.put("tolerations", pod.getTolerations().stream().map(Serialization::asJson).toList());
    said.put("affinity", pod.getAffinity() == null ? "" : Serialization.asJson(pod.getAffinity()));
    said.put(
        "spread",
        pod.getTopologySpreadConstraints().stream()
            .map(it -> it.getTopologyKey() + " " + it.getWhenUnsatisfiable())
            .toList());
    return KIND + SpecHash.ofText(Serialization.asJson(said));
  }

  private static Map<String, String> sorted(@Nullable Map<String, String> there) {
    return new TreeMap<>(there == null ? new HashMap<>() : there);
  }

  private static Map<String, Object> container(Container container) {
    Map<String, Object> said = new TreeMap<>();
    said.put("name", container.getName());
    said.put("image", requireNonNullElse(container.getImage(), ""));
    said.put("pull", requireNonNullElse(container.getImagePullPolicy(), ""));
    said.put("command", List.of(container.getCommand(), container.getArgs()));
    said.put("env", container.getEnv().stream().map(TemplateSeal::variable).toList());
    said.put(
        "mounts",
        container.getVolumeMounts().stream()
            .sorted(Comparator.comparing(VolumeMount::getMountPath))
            .map(it -> it.getName() + " " + it.getMountPath())
            .toList());
    if (container.getResources() != null) {
      said.put("requests", amounts(container.getResources().getRequests()));
      said.put("limits", amounts(container.getResources().getLimits()));
    }
    return said;
  }

  private static String variable(EnvVar variable) {
    return variable.getName()
        + "="
        + requireNonNullElse(variable.getValue(), "")
        + (variable.getValueFrom() == null ? "" : Serialization.asJson(variable.getValueFrom()));
  }

  /** Without how the numbers are written. */
  private static Map<String, String> amounts(@Nullable Map<String, Quantity> quantities) {
    return (quantities == null
            ? Stream.<Map.Entry<String, Quantity>>empty()
            : quantities.entrySet().stream())
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                it -> Quantity.getAmountInBytes(it.getValue()).stripTrailingZeros().toPlainString(),
                (one, other) -> one,
                TreeMap::new));
  }

  private static String volume(Volume volume) {
    return volume.getName()
        + " "
        + Optional.ofNullable(volume.getSecret()).map(it -> it.getSecretName()).orElse("");
  }
}
