package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** When a write is acknowledged. */
public enum Durability {
  /** After an fsync shared by the writes that waited for it. */
  @JsonProperty("sync")
  SYNC,
  /** Once it is written to the operating system's page cache. */
  @JsonProperty("async")
  ASYNC;

  /** The value of the node's setting. */
  public String setting() {
    return switch (this) {
      case SYNC -> "sync";
      case ASYNC -> "async";
    };
  }
}
