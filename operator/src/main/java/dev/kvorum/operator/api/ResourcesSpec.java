package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;

/** What a member's container asks for and may not exceed. */
public record ResourcesSpec(
    @JsonPropertyDescription("What is set aside for it.") Map<String, Quantity> requests,
    @JsonPropertyDescription("What it is held to.") Map<String, Quantity> limits) {
  public ResourcesSpec {
    requests = Map.copyOf(requireNonNullElse(requests, Map.of()));
    limits = Map.copyOf(requireNonNullElse(limits, Map.of()));
  }
}
