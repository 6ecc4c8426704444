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

  private final String label = name().toLowerCase(Locale.ROOT);

  /** Its name in metrics and logs. */
  public String label() {
    return label;
  }
}
