package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a write is acknowledged. */
public enum Durability {
  /** After an fsync shared by the writes that waited for it. */
  @JsonProperty("sync")
  SYNC,
  /** Once it is in the operating system's hands. */
  @JsonProperty("async")
  ASYNC;

  /** As the node's setting has it. */
  public String setting() {
    return switch (this) {
      case SYNC -> "sync";
      case ASYNC -> "async";
    };
  }
}
