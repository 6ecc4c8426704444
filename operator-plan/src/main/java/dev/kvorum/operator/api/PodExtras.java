package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Fields of pods in addition to those that the operator sets. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodExtras(
    @JsonPropertyDescription("Labels of the Kubernetes nodes on which the pods may run.")
        Map<String, String> nodeSelector,
    @JsonPropertyDescription("Tolerations of the pods.") List<Toleration> tolerations,
    @JsonPropertyDescription("Annotations in addition to the operator's.")
        Map<String, String> annotations,
    @JsonPropertyDescription("Labels in addition to the operator's, which take precedence.")
        Map<String, String> labels,
    @JsonPropertyDescription("Secrets for pulling the image.")
        List<LocalObjectReference> imagePullSecrets,
    @JsonPropertyDescription("Priority class of the pods.") @Nullable String priorityClassName) {
  /** Nothing. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static final PodExtras NONE = new PodExtras(null, null, null, null, null, null);

  public PodExtras {
    nodeSelector = Map.copyOf(requireNonNullElse(nodeSelector, Map.of()));
    tolerations = List.copyOf(requireNonNullElse(tolerations, List.of()));
    annotations = Map.copyOf(requireNonNullElse(annotations, Map.of()));
    labels = Map.copyOf(requireNonNullElse(labels, Map.of()));
    imagePullSecrets = List.copyOf(requireNonNullElse(imagePullSecrets, List.of()));
  }

  /**
   * Returns a pod with these fields.
   *
   * @param own the operator's labels
   */
  public PodTemplateSpecBuilder template(Map<String, String> own) {
    Map<String, String> all = new TreeMap<>(labels);
    all.putAll(own);
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(all)
        .withAnnotations(new TreeMap<>(annotations))
        .endMetadata()
        .withNewSpec()
        .withNodeSelector(nodeSelector)
        .withTolerations(tolerations)
        .withImagePullSecrets(imagePullSecrets)
        .withPriorityClassName(priorityClassName)
        .endSpec();
  }
}
