package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether the operator restricts who may connect to members. */
public enum NetworkPolicyMode {
  @JsonProperty("Managed")
  MANAGED,
  @JsonProperty("None")
  NONE
}
