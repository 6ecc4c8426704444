package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When an image is pulled. */
public enum PullPolicy {
  @JsonProperty("Always")
  ALWAYS,
  @JsonProperty("IfNotPresent")
  IF_NOT_PRESENT,
  @JsonProperty("Never")
  NEVER;

  /** The name in Kubernetes. */
  public String label() {
    return switch (this) {
      case ALWAYS -> "Always";
      case IF_NOT_PRESENT -> "IfNotPresent";
      case NEVER -> "Never";
    };
  }
}
