package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to volumes that are no longer needed, and to the topology of a deleted cluster. */
public enum DeletionPolicy {
  /** They are kept. */
  @JsonProperty("Retain")
  RETAIN,
  /** They are deleted. */
  @JsonProperty("Delete")
  DELETE
}
