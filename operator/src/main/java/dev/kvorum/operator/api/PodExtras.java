package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the members' pods are given beside what the operator gives them. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PodExtras(
    @JsonPropertyDescription("Labels of the nodes they may run on.")
        Map<String, String> nodeSelector,
    @JsonPropertyDescription("Taints they bear.") List<Toleration> tolerations,
    @JsonPropertyDescription("Annotations beside the operator's.") Map<String, String> annotations,
    @JsonPropertyDescription("Labels beside the operator's, which win.") Map<String, String> labels,
    @JsonPropertyDescription("Secrets with which the image is pulled.")
        List<LocalObjectReference> imagePullSecrets,
    @JsonPropertyDescription("Their priority class.") @Nullable String priorityClassName) {
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
}
