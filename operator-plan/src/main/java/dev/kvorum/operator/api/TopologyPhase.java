package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The phase of a membership change (docs/adr/0011). */
public enum TopologyPhase {
  /** No change is in progress. */
  @JsonProperty("Stable")
  STABLE,
  /**
   * Writes go to the old and the new set, reads to the old one; records of gained slots are copied.
   */
  @JsonProperty("Transferring")
  TRANSFERRING,
  /** Writes and reads go to both sets; records written meanwhile are copied. */
  @JsonProperty("Settling")
  SETTLING
}
