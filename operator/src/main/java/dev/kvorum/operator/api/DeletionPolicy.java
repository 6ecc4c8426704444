package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of a cluster's volumes and topology when the cluster is deleted. */
public enum DeletionPolicy {
  /** They stay. */
  @JsonProperty("Retain")
  RETAIN,
  /** They go with it. */
  @JsonProperty("Delete")
  DELETE
}
