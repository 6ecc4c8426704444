package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where in a change of the members an epoch is (docs/adr/0011). */
public enum TopologyPhase {
  /** No change is under way. */
  @JsonProperty("Stable")
  STABLE,
  /** Writes go to the old and the new set, reads to the old one; what is gained is copied. */
  @JsonProperty("Transferring")
  TRANSFERRING,
  /** Writes and reads go to both sets; what was written meanwhile is copied. */
  @JsonProperty("Settling")
  SETTLING
}
