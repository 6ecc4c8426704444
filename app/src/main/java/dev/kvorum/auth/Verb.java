package dev.kvorum.auth;

import java.util.Locale;

/** What a user may do with keys. */
public enum Verb {
  /** Read a value, whether it exists, its version, and what its replicas have. */
  GET,
  /** Write a value. */
  PUT,
  /** Delete a value. */
  DELETE,
  /** List keys with their values and versions, or count them. */
  RANGE;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** This verb in rules and messages. */
  public String label() {
    return label;
  }
}
