package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How much of a cluster is encrypted. */
public enum SecurityProfile {
  /** Nothing, unless the settings {@code kvorum.tls.*} say otherwise. */
  @JsonProperty("open")
  OPEN,
  /** Members prove who they are to each other; clients may use TLS. */
  @JsonProperty("standard")
  STANDARD,
  /** Members prove who they are to each other; clients have to use TLS. */
  @JsonProperty("strict")
  STRICT
}
