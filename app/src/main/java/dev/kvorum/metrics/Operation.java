package dev.kvorum.metrics;

import java.util.Locale;

/** What a client asks for. */
public enum Operation {
  GET,
  HEAD,
  PUT,
  DELETE,
  RANGE,
  /** A method that is not served. */
  OTHER;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** Its name in metrics and logs. */
  public String word() {
    return word;
  }
}
