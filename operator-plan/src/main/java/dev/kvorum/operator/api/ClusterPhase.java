package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The phase of a cluster, in one word. */
public enum ClusterPhase {
  @JsonProperty("Creating")
  CREATING,
  /** The backup that it begins with is being restored. */
  @JsonProperty("Restoring")
  RESTORING,
  @JsonProperty("Ready")
  READY,
  @JsonProperty("ScalingOut")
  SCALING_OUT,
  @JsonProperty("ScalingIn")
  SCALING_IN,
  /** A lost member is being removed. */
  @JsonProperty("Removing")
  REMOVING,
  /** Members get other zones. */
  @JsonProperty("Moving")
  MOVING,
  /** A change of the members is being cancelled. */
  @JsonProperty("Cancelling")
  CANCELLING,
  @JsonProperty("Updating")
  UPDATING,
  @JsonProperty("Resizing")
  RESIZING,
  /** Matches the spec, but not all members are serving. */
  @JsonProperty("Degraded")
  DEGRADED,
  /** The spec is rejected; the conditions give the reason. */
  @JsonProperty("Rejected")
  REJECTED,
  @JsonProperty("Paused")
  PAUSED
}
