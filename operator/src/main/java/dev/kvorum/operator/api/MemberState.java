package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a member stays, comes or goes. */
public enum MemberState {
  @JsonProperty("Active")
  ACTIVE,
  @JsonProperty("Joining")
  JOINING,
  @JsonProperty("Leaving")
  LEAVING
}
