package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The progress of a load test, in one word. */
public enum LoadTestPhase {
  /** It has not begun; the conditions show what it waits for. */
  @JsonProperty("Waiting")
  WAITING,
  /** The key space is being filled. */
  @JsonProperty("Filling")
  FILLING,
  /** A rate is being offered, or the next one is about to be. */
  @JsonProperty("Running")
  RUNNING,
  /** All rates have been measured. */
  @JsonProperty("Complete")
  COMPLETE,
  /** It has ended before all rates were measured; the conditions give the reason. */
  @JsonProperty("Failed")
  FAILED;

  /** Whether it is final. */
  public boolean ended() {
    return this == COMPLETE || this == FAILED;
  }
}
