package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;

/** How features that not all releases have become active. */
public record FeaturesSpec(
    @JsonPropertyDescription(
            "When a feature that all members have becomes active. `Automatic`: once the rolling "
                + "update to the release that brings it has ended. `Held`: not yet. An active "
                + "feature stays active, and releases without it cannot be used any more.")
        @Default("Automatic")
        FeatureActivation activation) {
  public FeaturesSpec {
    activation = requireNonNullElse(activation, FeatureActivation.AUTOMATIC);
  }
}
