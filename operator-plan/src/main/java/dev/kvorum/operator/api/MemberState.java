package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a member is active, joining, leaving or moving. */
public enum MemberState {
  @JsonProperty("Active")
  ACTIVE,
  @JsonProperty("Joining")
  JOINING,
  @JsonProperty("Leaving")
  LEAVING,
  /** It gets another failure domain. */
  @JsonProperty("Moving")
  MOVING
}
