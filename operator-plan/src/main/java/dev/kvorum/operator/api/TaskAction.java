package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a task does with a member. */
public enum TaskAction {
  /** Removes a lost member: the others copy what it has from each other. */
  @JsonProperty("Remove")
  REMOVE
}
