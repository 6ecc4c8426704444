package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a member is active, joining, leaving, being removed or moving. */
public enum MemberState {
  @JsonProperty("Active")
  ACTIVE,
  @JsonProperty("Joining")
  JOINING,
  @JsonProperty("Leaving")
  LEAVING,
  /** It is lost, and leaves without taking part. */
  @JsonProperty("Removing")
  REMOVING,
  /** It gets another failure domain. */
  @JsonProperty("Moving")
  MOVING
}
