package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What goes on with a cluster, in a word. */
public enum ClusterPhase {
  @JsonProperty("Creating")
  CREATING,
  @JsonProperty("Ready")
  READY,
  @JsonProperty("ScalingOut")
  SCALING_OUT,
  @JsonProperty("ScalingIn")
  SCALING_IN,
  /** A change of the members is being called off. */
  @JsonProperty("CallingOff")
  CALLING_OFF,
  @JsonProperty("Updating")
  UPDATING,
  @JsonProperty("Resizing")
  RESIZING,
  /** As asked for, but with fewer members serving than there are. */
  @JsonProperty("Degraded")
  DEGRADED,
  /** What is asked for is refused; the conditions say why. */
  @JsonProperty("Refused")
  REFUSED,
  @JsonProperty("Paused")
  PAUSED
}
