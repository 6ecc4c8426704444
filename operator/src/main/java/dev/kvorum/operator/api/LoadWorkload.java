package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a load test asks the cluster to do; each is a script of its name in {@code loadtest/}. */
public enum LoadWorkload {
  /** PUTs of uniformly random keys. */
  @JsonProperty("put")
  PUT,
  /** GETs of uniformly random keys. */
  @JsonProperty("get")
  GET,
  /** Both. */
  @JsonProperty("mixed")
  MIXED,
  /** Both, of keys of which few are asked for often (Zipf). */
  @JsonProperty("skewed")
  SKEWED,
  /** GETs of ranges. */
  @JsonProperty("range")
  RANGE;

  /** As scripts and specs have it. */
  public String label() {
    return switch (this) {
      case PUT -> "put";
      case GET -> "get";
      case MIXED -> "mixed";
      case SKEWED -> "skewed";
      case RANGE -> "range";
    };
  }

  /** Whether it reads keys that should be there. */
  public boolean reads() {
    return this != PUT;
  }
}
