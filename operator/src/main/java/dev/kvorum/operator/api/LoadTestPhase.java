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
  /** One of its rates is being offered, or the next one is about to be. */
  @JsonProperty("Running")
  RUNNING,
  /** All rates have been measured. */
  @JsonProperty("Complete")
  COMPLETE,
  /** It has ended before that; the conditions give the reason. */
  @JsonProperty("Failed")
  FAILED;

  /** Whether nothing comes after it. */
  public boolean ended() {
    return this == COMPLETE || this == FAILED;
  }
}
