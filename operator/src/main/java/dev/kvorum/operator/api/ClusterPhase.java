package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The phase of a cluster, in one word. */
public enum ClusterPhase {
  @JsonProperty("Creating")
  CREATING,
  @JsonProperty("Ready")
  READY,
  @JsonProperty("ScalingOut")
  SCALING_OUT,
  @JsonProperty("ScalingIn")
  SCALING_IN,
  /** A change of the members is being cancelled. */
  @JsonProperty("Cancelling")
  CANCELLING,
  @JsonProperty("Updating")
  UPDATING,
  @JsonProperty("Resizing")
  RESIZING,
  /** As asked for, but with fewer members serving than there are. */
  @JsonProperty("Degraded")
  DEGRADED,
  /** The spec is refused; the conditions give the reason. */
  @JsonProperty("Refused")
  REFUSED,
  @JsonProperty("Paused")
  PAUSED
}
