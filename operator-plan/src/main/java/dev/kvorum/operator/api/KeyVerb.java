package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** What may be done with keys. */
public enum KeyVerb {
  /** GET and HEAD of a key, and to explain it. */
  @JsonProperty("get")
  GET("get"),

  @JsonProperty("put")
  PUT("put"),

  @JsonProperty("delete")
  DELETE("delete"),

  /** To list or count keys. */
  @JsonProperty("range")
  RANGE("range");

  private final String label;

  KeyVerb(String label) {
    this.label = label;
  }

  /** What nodes call it. */
  public String label() {
    return label;
  }

  /** Returns null for a verb of a newer operator: it is not given. */
  @JsonCreator
  static @Nullable KeyVerb of(String label) {
    for (KeyVerb verb : values()) {
      if (verb.label.equals(label)) {
        return verb;
      }
    }
    return null;
  }
}
