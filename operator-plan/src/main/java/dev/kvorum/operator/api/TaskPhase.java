package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The progress of a task or a backup, in one word. */
public enum TaskPhase {
  /** It has not started; the conditions show what it waits for. */
  @JsonProperty("Waiting")
  WAITING,
  @JsonProperty("Running")
  RUNNING,
  @JsonProperty("Complete")
  COMPLETE,
  /** It cannot be done; the conditions give the reason. */
  @JsonProperty("Failed")
  FAILED;

  /** Whether it is final. */
  public boolean ended() {
    return this == COMPLETE || this == FAILED;
  }
}
