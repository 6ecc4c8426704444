package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a load test has come, in a word. */
public enum LoadTestPhase {
  /** It has not begun; the conditions say what it waits for. */
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
  /** It has ended before that; the conditions say why. */
  @JsonProperty("Failed")
  FAILED;

  /** Whether nothing comes after it. */
  public boolean ended() {
    return this == COMPLETE || this == FAILED;
  }
}
