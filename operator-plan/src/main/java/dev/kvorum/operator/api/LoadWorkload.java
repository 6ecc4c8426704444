package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The requests of a load test; each is a script of the same name in {@code loadtest/}. */
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
  /** Both, with a Zipf distribution of keys. */
  @JsonProperty("skewed")
  SKEWED,
  /** GETs of ranges. */
  @JsonProperty("range")
  RANGE;

  /** The name in scripts and specs. */
  public String label() {
    return switch (this) {
      case PUT -> "put";
      case GET -> "get";
      case MIXED -> "mixed";
      case SKEWED -> "skewed";
      case RANGE -> "range";
    };
  }

  /** Whether it reads keys that must have been written before. */
  public boolean reads() {
    return this != PUT;
  }
}
