package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests and limits of a container. Quantities stay unparsed: if one invalid quantity failed to
 * parse, the operator could list no cluster at all.
 */
public record ResourcesSpec(
    @JsonPropertyDescription("Resources reserved for the container.")
        @Size(max = 16)
        @ValidationRule(value = ResourcesSpec.QUANTITIES, message = ResourcesSpec.MESSAGE)
        Map<String, IntOrString> requests,
    @JsonPropertyDescription("Upper bounds of the container's resources.")
        @Size(max = 16)
        @ValidationRule(value = ResourcesSpec.QUANTITIES, message = ResourcesSpec.MESSAGE)
        Map<String, IntOrString> limits) {
  /** Nothing is set. */
  public static final ResourcesSpec NONE = new ResourcesSpec(Map.of(), Map.of());

  private static final String QUANTITIES =
      "self.all(k, type(self[k]) != string || (isQuantity(self[k]) && !self[k].startsWith('-')))";
  private static final String MESSAGE =
      "resources must be quantities such as 500m or 1Gi, and not negative";

  /** Reads any scalar: {@code IntOrString} itself accepts no number above 2147483647. */
  @JsonCreator
  static ResourcesSpec read(
      @JsonProperty("requests") @Nullable Map<String, Object> requests,
      @JsonProperty("limits") @Nullable Map<String, Object> limits) {
    return new ResourcesSpec(Quantities.typed(requests), Quantities.typed(limits));
  }

  public ResourcesSpec {
    requests = Map.copyOf(requireNonNullElse(requests, Map.of()));
    limits = Map.copyOf(requireNonNullElse(limits, Map.of()));
  }
}
