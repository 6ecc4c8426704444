package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a member is active, joining or leaving. */
public enum MemberState {
  @JsonProperty("Active")
  ACTIVE,
  @JsonProperty("Joining")
  JOINING,
  @JsonProperty("Leaving")
  LEAVING
}
