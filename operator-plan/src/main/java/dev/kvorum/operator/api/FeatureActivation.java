package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a feature that all members have becomes active. */
public enum FeatureActivation {
  /** Once the rolling update has ended. */
  @JsonProperty("Automatic")
  AUTOMATIC,
  /** Not yet: the way back to the release before stays open. */
  @JsonProperty("Held")
  HELD
}
