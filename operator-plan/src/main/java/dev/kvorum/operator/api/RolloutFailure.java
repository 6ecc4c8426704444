package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is done with an update whose pods do not become ready. */
public enum RolloutFailure {
  /** The pods get the template back that they had before. */
  @JsonProperty("Rollback")
  ROLLBACK,
  /** The update waits for another spec. */
  @JsonProperty("Stop")
  STOP
}
