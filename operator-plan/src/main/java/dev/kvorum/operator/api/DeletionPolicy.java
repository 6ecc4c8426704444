package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a cluster's volumes and topology when the cluster is deleted. */
public enum DeletionPolicy {
  /** They are kept. */
  @JsonProperty("Retain")
  RETAIN,
  /** They are deleted with it. */
  @JsonProperty("Delete")
  DELETE
}
